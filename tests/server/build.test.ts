import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { expect, it } from "vitest";
import packageJson from "../../package.json";

/** `@scope/name/file` is of `@scope/name`. */
const getPackage = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

it("the built server imports only packages that the image has", () => {
  const files = globSync("build/server/**/*.js");
  const imported = files.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /^(?:import|export)\b[^"';]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm,
      ),
    ].map(([, from, bare, later]) => from ?? bare ?? later ?? ""),
  );
  const packages = new Set(
    imported.filter((name) => !name.startsWith(".") && !isBuiltin(name)).map(getPackage),
  );
  expect(packages).toContain("better-sqlite3");
  expect([...packages].filter((name) => !(name in packageJson.dependencies))).toEqual([]);
});
