import { readFileSync } from "node:fs";

/** A test file that proves a promise: all its tests do, or with an id those that name it. */
export interface Proof {
  readonly file: string;
  /** An id of docs/hardening.md. */
  readonly id?: string | undefined;
}

/** A promise of the product and the tests that prove it. */
export interface Row {
  readonly what: string;
  readonly tests: readonly Proof[];
  /** Part of the promise that does not hold, and why; the tests prove the rest. */
  readonly notHeld?: string;
}

/** @param tests each as "tests/server/input.test.ts" or "tests/server/input.test.ts (C25)". */
export const row = (what: string, ...tests: string[]): Row => ({
  what,
  tests: tests.map((text) => parseProof(text) ?? { file: text }),
});

function parseProof(text: string): Proof | undefined {
  const [, file, id] = /^([\w./$()-]+\.(?:tsx?|mjs))(?: \(([CR]\d+)\))?$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, id };
}

/** Matches names of tests with this id: "(C5)", "(C4, C5)" and "(C5, seed 7)" all name C5. */
export const namesId = (id: string): RegExp => new RegExp(`\\((?:[CR]\\d+, )*${id}(?:, [^)]*)?\\)`);

/**
 * Reads the rows of docs/hardening.md. A test file named there proves a row by the tests whose names end with
 * one of the row's ids in brackets; a file of tests/bench/ by its measurements.
 */
export function hardeningRows(page = readFileSync("docs/hardening.md", "utf8")) {
  return page.split("\n").flatMap((line) => {
    const [, first = "", what = "", last = ""] = line.split("|").map((cell) => cell.trim());
    if (!/^[CR]\d+(, [CR]\d+)*$/.test(first)) return [];
    const ids = first.split(", ");
    const files = [...last.matchAll(/`([^`]+\.(?:tsx?|mjs))`/g)].map((match) => match[1] ?? "");
    const title = `${first}: ${what.replace(/ \(\[[^)]*\)\)/g, "")}`;
    if (files.length === 0) return [{ ids, what: title, tests: [], notHeld: last }];
    const tests = files.flatMap((file) => listProofs(file, ids));
    // An id that no file names is looked for in the first one, where tests/proof.test.ts reports it.
    const unnamed = ids.filter((id) => !tests.some((test) => test.id === id));
    return [{ ids, what: title, tests: [...tests, ...unnamed.map((id) => ({ file: files[0] ?? "", id }))] }];
  });
}

function listProofs(file: string, ids: readonly string[]): Proof[] {
  if (file.startsWith("tests/bench/")) return [{ file }];
  const text = readFileSync(file, "utf8");
  const named = ids.filter((id) => namesId(id).test(text));
  return (named.length > 0 ? named : ids).map((id) => ({ file, id }));
}

/**
 * Reads the rows of docs/specification.md: | Requirement | Held by | Ruling |. "Held by" names test files, each
 * as `file` or `file` (id), separated by <br>; or it says why no test holds the requirement.
 */
export function specificationRows(page = readFileSync("docs/specification.md", "utf8")): Row[] {
  return page.split("\n").flatMap((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [what = "", heldBy = ""] = cells;
    if (cells.length !== 3 || what === "Requirement" || /^-+$/.test(what)) return [];
    const tests = heldBy.split("<br>").map((text) => parseProof(text.replaceAll("`", "")));
    return [
      tests.every((test) => test !== undefined) ? { what, tests } : { what, tests: [], notHeld: heldBy },
    ];
  });
}
