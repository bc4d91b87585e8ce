import { expect, test, type Page } from "@playwright/test";
import type axe from "axe-core";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The frame of the back office, the same around every screen: in the second theme it is checked around the dashboard alone.
 */
const FRAME = ['nav[aria-label="Back office"]', "header:not(main *)", "footer:not(main *)"];

interface Judged {
  /** Selectors of the parts that changed since the page was last checked. */
  readonly within?: readonly string[];
  /** The first theme is checked by every rule, the others by their colours alone. */
  readonly themes?: readonly ("light" | "dark")[];
}

/** For a page whose colours are checked at another width, or on another page of the same parts. */
export const ONE_THEME: Judged = { themes: ["light"] };

/**
 * Checks what a reader can reach of the page by axe. Without JavaScript nothing is checked, because the HTML is the
 * same; behind an open dialog nothing can be reached.
 */
export async function expectNothingFound(
  page: Page,
  where: string,
  { within, themes = ["light", "dark"] }: Judged = {},
): Promise<void> {
  if (test.info().project.name === "no-js") return;
  await stopTransitions(page);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await untilAtRest(page);
    await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
    // The other theme differs only in its colours.
    const isFirst = colorScheme === themes[0];
    const hasKnownFrame = /\/admin\/(?!dashboard$)/.test(new URL(page.url()).pathname);
    const found = await violations(page, {
      options: isFirst ? {} : { runOnly: ["color-contrast"] },
      within,
      without: !isFirst && hasKnownFrame ? FRAME : [],
    });
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
}

interface Run {
  readonly options: axe.RunOptions;
  /** Selectors of the parts to check; by default all that can be reached. */
  readonly within: readonly string[] | undefined;
  readonly without: readonly string[];
}

/** Runs axe, which a document loads once. @returns a sentence for each violated rule. */
async function violations(page: Page, { options, within, without }: Run): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ options, within, without }) => {
      const { axe: runner } = window as unknown as { axe: typeof axe };
      const include = [...(within ?? [document.querySelector("dialog:modal") ? "dialog:modal" : "html"])];
      // No script runs in a sandboxed frame, so axe would wait for its answer.
      const exclude = ["iframe[sandbox]", ...without];
      const { violations } = await runner.run({ include, exclude }, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    },
    { options: { ...options, resultTypes: ["violations" as const] }, within, without },
  );
}

/** Stops transitions, of which every element would have a short one, one level of the page after the other. */
async function stopTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after, ::backdrop { transition: none !important }");
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Waits for animations: what is fading in has another contrast. */
async function untilAtRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const endOfText = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    // A paused animation never ends.
    const atMost = new Promise((resolve) => setTimeout(resolve, 300));
    await Promise.race([Promise.allSettled(endOfText.map((animation) => animation.finished)), atMost]);
    await frame();
  });
}
