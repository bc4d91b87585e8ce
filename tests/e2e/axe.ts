import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extendTailwindMerge } from "tailwind-merge";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** tailwind-merge with its table of everything in Tailwind: app/lib/class-names.ts knows only what callers override. */
const mergeAll = extendTailwindMerge({
  extend: { theme: { shadow: ["float"], animate: ["enter", "fade", "load", "spin"], text: ["2xs"] } },
});

interface Judged {
  /** What has changed of a page that was judged before, as selectors. */
  readonly within?: readonly string[];
  /** The first one is judged by every rule. A page that was judged at another width has shown its colours there. */
  readonly themes?: readonly ("light" | "dark")[];
}

/** For a page that was judged at another width. */
export const ONE_THEME: Judged = { themes: ["light"] };

/**
 * Judges what a reader can reach of the page as it stands: by axe, and its classes among themselves. axe runs in the page, so a
 * journey without JavaScript judges nothing: its HTML is the same. Behind an open dialog nothing can be reached: that page is
 * judged without it.
 */
export async function expectNothingFound(
  page: Page,
  where: string,
  { within, themes = ["light", "dark"] }: Judged = {},
): Promise<void> {
  if (test.info().project.name === "no-js") return;
  await expectNoContradiction(page, where);
  await stopTransitions(page);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await untilAtRest(page);
    await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
    // In the other theme only the colours are others.
    const found = await violations(
      page,
      colorScheme === themes[0] ? {} : { runOnly: ["color-contrast"] },
      within,
    );
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
}

/** What axe finds in the page as it stands, a sentence for each rule. A document gets axe once, however often it is judged. */
async function violations(
  page: Page,
  options: axe.RunOptions,
  within: readonly string[] | undefined,
): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ options, within }) => {
      const { axe: runner } = window as unknown as { axe: typeof axe };
      const include = [...(within ?? [document.querySelector("dialog:modal") ? "dialog:modal" : "html"])];
      // No script runs in a sandboxed frame, axe's neither: it would wait for an answer. There is no other frame.
      const { violations } = await runner.run({ include, exclude: ["iframe[sandbox]"] }, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    },
    { options: { ...options, resultTypes: ["violations" as const] }, within },
  );
}

/**
 * Colours change at once with the theme. Where less motion is asked for each one would otherwise have a transition of a moment, on
 * every element and one level of the page after the other, which takes as long as axe itself.
 */
async function stopTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after, ::backdrop { transition: none !important }");
    document.adoptedStyleSheets.push(sheet);
  });
}

/** What is still fading in has another contrast than what stands there afterwards. */
async function untilAtRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    // One that is paused, as by what a pointer rests on, never ends.
    const atMost = new Promise((resolve) => setTimeout(resolve, 300));
    await Promise.race([Promise.allSettled(ending.map((animation) => animation.finished)), atMost]);
    await frame();
  });
}

/** Of two classes that disagree one must have been left out, or the style sheet's order decides which wins. */
async function expectNoContradiction(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll("[class]")].map((element) => element.getAttribute("class") ?? ""),
  );
  const agreed = (classes: string) =>
    mergeAll(classes).split(" ").length === classes.trim().split(/\s+/).length;
  expect(
    [...new Set(found)].filter((classes) => !agreed(classes)),
    where,
  ).toEqual([]);
}
