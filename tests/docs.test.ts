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

/** Lists what the group of a pattern matches. */
const listMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

it(".env.example has exactly the variables the product reads", () => {
  const listed = listMatches(readFileSync(".env.example", "utf8"), /^([A-Z0-9_]+)=/gm);
  expect(listed.sort()).toEqual([...environmentKeys].sort());
});

it.each(pages)("%s names only existing files and scripts", (page) => {
  const text = readFileSync(page, "utf8");
  const links = listMatches(text, /\]\((?!https?:)([^)#]+)\)/g).map((link) => join(dirname(page), link));
  const paths = listMatches(text, /`((?:app|server|tests|scripts|docs|public)\/[\w./$-]+)`/g);
  const named = listMatches(text, /npm run ([\w:]+)/g);
  expect([...links, ...paths].filter((path) => !existsSync(path))).toEqual([]);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
