import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { environmentKeys } from "~/env.server";

const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md")];
const scripts = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> })
  .scripts;

/** Lists what the group of a pattern matches. */
const listMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);
/** Lists the files that a page links. */
const listLinks = (page: string, text: string) =>
  listMatches(text, /\]\((?!https?:)([^)#]+)\)/g).map((link) => join(dirname(page), decodeURI(link)));

it(".env.example has exactly the variables the product reads", () => {
  const listed = listMatches(readFileSync(".env.example", "utf8"), /^([A-Z0-9_]+)=/gm);
  expect(listed.sort()).toEqual([...environmentKeys].sort());
});

it.each(pages)("%s names only existing files and scripts", (page) => {
  const text = readFileSync(page, "utf8");
  const paths = listMatches(text, /`((?:app|server|tests|scripts|docs|public)\/[\w./$-]+)`/g);
  const named = listMatches(text, /npm run ([\w:]+)/g);
  expect([...listLinks(page, text), ...paths].filter((path) => !existsSync(path))).toEqual([]);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** Lists the rows of a page's tables, each by its cells. */
const listRows = (page: string) =>
  readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

it("each requirement links its tests, or says why it has none", () => {
  const rows = listRows("docs/specification.md").filter(([what]) => !/^(?:-+|Requirement)$/.test(what ?? ""));
  expect(rows.length).toBeGreaterThan(450);
  const untested = rows.filter(([, held = ""]) => !held.startsWith("not ours: ") && !held.includes("]("));
  expect(untested).toEqual([]);
  const unnamed = rows.flatMap(([what, held = ""]) =>
    [...held.matchAll(/\]\(\.\.\/([^)]+)\) \((\w+)\)/g)]
      .filter(([, file = "", id = ""]) => !namesId(decodeURI(file), id))
      .map(([, file, id]) => `${what}: ${file} does not name ${id}`),
  );
  expect(unnamed).toEqual([]);
});

it("each control and promise links tests that name its id", () => {
  const rows = listRows("docs/hardening.md").filter(
    ([id, , held]) => /^[CR]\d/.test(id ?? "") && held?.startsWith("["),
  );
  const ids = new Set(rows.flatMap(([id = ""]) => id.split(", ")));
  expect(ids.size).toBeGreaterThan(100);
  const unnamed = rows.flatMap(([id = "", , held = ""]) => {
    const files = listLinks("docs/hardening.md", held).filter((file) => !file.startsWith("tests/bench/"));
    return id.split(", ").filter((one) => !files.some((file) => namesId(file, one)));
  });
  expect(unnamed).toEqual([]);
});

/** Returns whether a test file names the id, as in `// R33`. */
function namesId(file: string, id: string): boolean {
  return new RegExp(`\\b${id}\\b`).test(readFileSync(file, "utf8"));
}
