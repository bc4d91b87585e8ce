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
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
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
