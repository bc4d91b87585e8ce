import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const ENDINGS = ["", ".ts", ".tsx", ".mjs"];

/** Lists the project modules that a module imports, type imports included. */
function listImports(module: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(module, "utf8"));
  return importedFiles.flatMap(({ fileName }) => {
    const isOurs = fileName.startsWith(".") || fileName.startsWith("~/");
    const path = fileName.startsWith("~/") ? join("app", fileName.slice(2)) : join(dirname(module), fileName);
    const file = ENDINGS.map((extension) => path + extension).find(
      (name) => existsSync(name) && statSync(name).isFile(),
    );
    return isOurs && file !== undefined ? [file] : [];
  });
}

/** Finds the first import cycle, each module imported by the one before it. */
function findCircle(modules: readonly string[]): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const follow = (module: string): string[] | undefined => {
    if (done.has(module)) return undefined;
    const at = path.indexOf(module);
    if (at !== -1) return [...path.slice(at), module];
    path.push(module);
    for (const imported of listImports(module)) {
      const circle = follow(imported);
      if (circle) return circle;
    }
    path.pop();
    done.add(module);
    return undefined;
  };
  for (const module of modules) {
    const circle = follow(module);
    if (circle) return circle;
  }
  return undefined;
}

it("there is no import cycle, not even of types", () => {
  const modules = globSync("{app,server,scripts,tests}/**/*.{ts,tsx,mjs}", {
    exclude: ["**/node_modules/**"],
  });
  expect(modules.length).toBeGreaterThan(1000);
  expect(findCircle(modules)).toBeUndefined();
});
