import { readFileSync } from "node:fs";
import type { NamedTest, Row } from "./row";

/** The hand-written page; its two tables are read, not repeated. */
const PAGE = "docs/hardening.md";
const MEASURED = "tests/bench/";

interface HardeningRow extends Row {
  readonly ids: readonly string[];
}

/**
 * Reads the rows of docs/hardening.md. A test file named there proves a row by the tests whose names end with
 * one of the row's ids in brackets; a file of tests/bench/ by its measurements.
 */
export function hardeningRows(page = readFileSync(PAGE, "utf8")): HardeningRow[] {
  return page.split("\n").flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    const [, first = "", what = "", last = ""] = cells;
    if (!/^[CR]\d+(, [CR]\d+)*$/.test(first)) return [];
    const ids = first.split(", ");
    const files = [...last.matchAll(/`([^`]+\.(?:tsx?|mjs))`/g)].map((match) => match[1] ?? "");
    const title = `${first}: ${what.replace(/ \(\[[^)]*\)\)/g, "")}`;
    if (files.length === 0) return [{ ids, what: title, tests: [], notHeld: last }];
    const tests = files.flatMap((file) => listTests(file, ids));
    const unnamed = ids.filter((id) => !tests.some(([, name]) => name === `(${id})`));
    return [{ ids, what: title, tests: [...tests, ...unnamed.map(toUnnamedTest(files[0] ?? ""))] }];
  });
}

/** Stands for a missing test, which tests/proof.test.ts then reports. */
const toUnnamedTest =
  (file: string) =>
  (id: string): NamedTest => [file, `(${id})`];

function listTests(file: string, ids: readonly string[]): NamedTest[] {
  if (file.startsWith(MEASURED)) return [[file, ""]];
  const text = readFileSync(file, "utf8");
  const named = ids.filter((id) => namesId(id).test(text));
  return (named.length > 0 ? named : ids).map((id) => [file, `(${id})`]);
}

/** "(C5)", "(C4, C5)" and "(C5, seed 7)" all name C5. */
export const namesId = (id: string): RegExp => new RegExp(`\\((?:[CR]\\d+, )*${id}(?:, [^)]*)?\\)`);
