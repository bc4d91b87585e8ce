import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const screens = globSync("app/routes/admin.*/route.tsx").filter((file) =>
  readFileSync(file, "utf8").includes("export default"),
);

it("finds the screens", () => {
  expect(screens).toContain("app/routes/admin.dashboard/route.tsx");
});

it.each(screens)("%s keeps the frame around it when it fails", (file) => {
  // LogUnavailable belongs to the logs; it replaces Failure while the platform that stores them is unreachable.
  expect(readFileSync(file, "utf8")).toMatch(/^export \{ (?:Failure|LogUnavailable) as ErrorBoundary \}/m);
});
