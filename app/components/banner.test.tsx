import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Banner } from "./banner";

it.each([
  ["error", "alert", "destructive", "circle-alert"],
  ["success", "status", "success", "circle-check"],
] as const)("a banner of %s has its role, its colour and its icon", (kind, role, colour, icon) => {
  const html = renderToStaticMarkup(<Banner kind={kind}>What happened</Banner>);
  expect(html).toContain(`role="${role}"`);
  expect(html).toContain(`bg-${colour}-surface`);
  expect(html).toMatch(new RegExp(`<svg[^>]*\\blucide-${icon}\\b`));
});
