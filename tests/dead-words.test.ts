import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";

/** Retired words with those that replace them: `identifiers` match names in code, `texts` words anywhere. */
const retired = JSON.parse(readFileSync("tests/dead-words.json", "utf8")) as {
  identifiers: Record<string, string>;
  texts: Record<string, string>;
};

const code = globSync([
  "app/**/*.{ts,tsx}",
  "server/**/*.{ts,mjs}",
  "scripts/**/*.{ts,mjs}",
  "tests/**/*.{ts,tsx,mjs}",
]).filter((file) => !file.includes("node_modules") && !file.startsWith("tests/dead-words"));
// docs/proof.md is made of test names.
const docs = ["README.md", "CONTRIBUTING.md", ".env.example", ...globSync("docs/**/*.md")].filter(
  (file) => file !== "docs/proof.md",
);

/** Each name a file declares or uses, once. */
function identifiersIn(text: string): Set<string> {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.JSX, text);
  const names = new Set<string>();
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.Identifier) names.add(scanner.getTokenText());
  }
  return names;
}

it("no name in code is a retired one", () => {
  const patterns = Object.entries(retired.identifiers).map(
    ([pattern, instead]) => [new RegExp(`^(?:${pattern})$`), instead] as const,
  );
  expect(code.length).toBeGreaterThan(900);
  const found = code.flatMap((file) =>
    [...identifiersIn(readFileSync(file, "utf8"))].flatMap((name) =>
      patterns
        .filter(([pattern]) => pattern.test(name))
        .map(([, instead]) => `${file}: ${name} (say ${instead})`),
    ),
  );
  expect(found).toEqual([]);
});

it("no sentence, comment or page uses a retired word", () => {
  const found = Object.entries(retired.texts).flatMap(([pattern, instead]) => {
    const words = new RegExp(`\\b(?:${pattern})\\b`, "i");
    return [...code, ...docs].flatMap((file) => {
      const line = readFileSync(file, "utf8")
        .split("\n")
        .findIndex((text) => words.test(text));
      return line === -1 ? [] : [`${file}:${line + 1}: ${pattern} (say ${instead})`];
    });
  });
  expect(found).toEqual([]);
});
