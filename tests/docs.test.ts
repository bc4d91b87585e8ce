import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { environmentKeys } from "~/env.server";

/** Generated from the last results, whose paths may be outdated; tests/proof.test.ts checks its rows. */
const MADE = "docs/proof.md";
const written = globSync("docs/**/*.md").filter((page) => page !== MADE);
const pages = ["README.md", "CONTRIBUTING.md", ...written];
const scripts = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> })
  .scripts;

it(".env.example has exactly the variables the product reads", () => {
  const listed = [...readFileSync(".env.example", "utf8").matchAll(/^([A-Z0-9_]+)=/gm)].map(
    (match) => match[1],
  );
  expect(listed.sort()).toEqual([...environmentKeys].sort());
});

it.each(pages)("%s names only existing files and scripts", (page) => {
  const text = readFileSync(page, "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) =>
    join(dirname(page), match[1]!),
  );
  const paths = [...text.matchAll(/`((?:app|server|tests|scripts|docs|public)\/[\w./$-]+)`/g)].map(
    (match) => match[1]!,
  );
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]!);
  expect([...links, ...paths].filter((path) => !existsSync(path))).toEqual([]);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
