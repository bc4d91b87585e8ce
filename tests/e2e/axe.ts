import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { extendTailwindMerge } from "tailwind-merge";

/** tailwind-merge with its table of everything in Tailwind: app/lib/class-names.ts knows only what callers override. */
const mergeAll = extendTailwindMerge({
  extend: { theme: { shadow: ["float"], animate: ["enter", "fade", "spin"], text: ["2xs"] } },
});

/**
 * Judges the page as it stands, in both themes: by axe, and its classes among themselves. axe runs in the page, so it
 * needs JavaScript; what it judges is the same HTML without.
 */
export async function expectNothingFound(page: Page, where: string): Promise<void> {
  await expectNoContradiction(page, where);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await untilAtRest(page);
    // In the other theme only the colours are others.
    // No script runs in a sandboxed frame, axe's neither: it would wait for an answer.
    // Nor is there any other frame, so axe needs no second page to add up what it found in each.
    const axe = new AxeBuilder({ page }).exclude("iframe[sandbox]").setLegacyMode();
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules("color-contrast")).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
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
