import { writeFileSync } from "node:fs";
import { readKept } from "../bench/kept";
import { aimsAreMet, asMarkdown, machine } from "../bench/table";
import { hardeningRows } from "./hardening";
import { promises } from "./promises";
import { outcomeOf, readResults, dayOf } from "./results";
import type { TestResult } from "./results";
import type { NamedTest, Row, Section } from "./row";
import { specificationRows } from "./specification";

const FILE = "docs/proof.md";
const NOT_RUN = "not run";

/** All that is promised, section by section; a function, because docs/hardening.md and docs/specification.md are read for it. */
export function sections(): Section[] {
  return [
    { title: "Promises", about: "What the product promises its users as a whole.", rows: promises },
    {
      title: "Controls and failure promises",
      about: "The rows of [hardening.md](hardening.md), with the tests whose names end with their ids.",
      rows: hardeningRows(),
    },
    {
      title: "Specification",
      about: "The rows of [specification.md](specification.md), which names the tests and the rulings.",
      rows: specificationRows(),
    },
  ];
}

/** Joins the rows with the last results into docs/proof.md. */
export async function writeProof(): Promise<void> {
  const results = readResults();
  writeFileSync(FILE, proofPage(sections(), results, dayOf(new Date())));
  console.info(`${FILE} is written.`);
}

export function proofPage(all: readonly Section[], results: readonly TestResult[], day: string): string {
  const judged = all.map((section) => ({
    ...section,
    rows: section.rows.map((row) => ({ row, verdict: verdictOf(row, results) })),
  }));
  const rows = judged.flatMap((section) => section.rows);
  const proven = rows.filter(({ verdict }) => verdict.holds);
  const notRun = rows.filter(({ row, verdict }) => row.notHeld === undefined && verdict.isOnlyNotRun);
  const without = rows.filter((each) => !proven.includes(each) && !notRun.includes(each));
  return [
    "# Proof",
    "",
    "Made by `npm run proof`, which `npm run bench` and `npm run test:faults` call at their end, of the last results of those two and of",
    "`npm test`. Nothing is written here by hand: the rows stand in [hardening.md](hardening.md), [specification.md](specification.md) and `tests/proof/`.",
    "",
    `${day}, ${machine()}.`,
    "",
    `${proven.length} of ${rows.length} rows hold by tests that passed, ${notRun.length} have tests that did not run in the last runs, ${without.length} do not hold:`,
    "",
    ...table(
      ["What", "Why it is here"],
      without.map(({ row, verdict }) => [row.what, verdict.why]),
    ),
    "",
    ...judged.flatMap(({ title, about, rows: own }) => [
      `## ${title}`,
      "",
      about,
      "",
      ...table(
        ["What", "Test", "Last result"],
        own.map(({ row, verdict }) => [row.what, verdict.tests, verdict.result]),
      ),
      "",
    ]),
    ...measuredSection(),
    ...runsSection(results),
  ].join("\n");
}

interface Verdict {
  readonly holds: boolean;
  /** Nothing is against it but that some of its tests did not run. */
  readonly isOnlyNotRun: boolean;
  /** Why it does not hold. */
  readonly why: string;
  readonly tests: string;
  readonly result: string;
}

/** A row holds when nothing is said against it and every one of its tests passed when it last ran. */
export function verdictOf(row: Row, results: readonly TestResult[]): Verdict {
  const outcomes = row.tests.map((test) => ({ test, outcome: judge(test, results) }));
  const bad = outcomes.filter(({ outcome }) => outcome.state !== "passed");
  const said = outcomes.map(({ outcome }) =>
    outcome.state === "passed" ? `passed ${outcome.day}` : `**${outcome.state}** ${outcome.day}`.trim(),
  );
  const why = [
    ...(row.notHeld === undefined ? [] : [`Not held: ${row.notHeld}`]),
    ...bad.map(({ test, outcome }) => `**${outcome.state}**: ${inWords(test)}`),
  ];
  return {
    holds: why.length === 0 && row.tests.length > 0,
    isOnlyNotRun: bad.length > 0 && bad.every(({ outcome }) => outcome.state === NOT_RUN),
    why: why.join("<br>"),
    tests: row.tests.map(inWords).join("<br>"),
    result: [...(row.notHeld === undefined ? [] : ["**not held**"]), ...said].join("<br>"),
  };
}

/** What the bench measured is as good as its aims. */
function judge(test: NamedTest, results: readonly TestResult[]): { state: string; day: string } {
  const [, bench] = /^tests\/bench\/(\w+)\.ts$/.exec(test[0]) ?? [];
  if (bench === undefined) return outcomeOf(test, results);
  const kept = readKept().find(({ name }) => name === bench);
  if (!kept) return { state: NOT_RUN, day: "" };
  if (kept.failure !== undefined) return { state: "failed", day: kept.day };
  return { state: aimsAreMet(kept.measured) ? "passed" : "aim missed", day: kept.day };
}

const inWords = ([file, name]: NamedTest): string => `\`${file}\`${name === "" ? "" : ` ${escape(name)}`}`;

function measuredSection(): string[] {
  const kept = readKept();
  const failures = kept.filter(({ failure }) => failure !== undefined);
  const about = kept.map(({ name, day, seconds }) => `${name} (${day}, ${seconds} s)`).join(", ");
  return [
    "## Measured",
    "",
    ...(kept.length === 0
      ? ["`npm run bench` has not run here.", ""]
      : [
          `\`npm run bench\`, each kind as it last ran: ${about}.`,
          "",
          ...failures.map(({ name, failure }) => `**${name} failed**: ${failure}\n`),
          asMarkdown(kept.flatMap(({ measured }) => measured)),
        ]),
  ];
}

function runsSection(results: readonly TestResult[]): string[] {
  const projects = [...new Set(results.map(({ project }) => project))];
  const rows = projects.map((project) => {
    const own = results.filter((each) => each.project === project);
    const count = (state: TestResult["state"]) => String(own.filter((each) => each.state === state).length);
    return [project, own[0]?.day ?? "", count("passed"), count("failed"), count("skipped")];
  });
  return ["## The runs", "", ...table(["Project", "Day", "Passed", "Failed", "Skipped"], rows), ""];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ["None."];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map((cells) => line(cells.map(oneCell)))];
}

const oneCell = (text: string): string => text.replace(/\n/g, " ").replace(/(?<!\\)\|/g, "\\|");
const escape = (text: string): string => text.replace(/[<>*_`]/g, "\\$&");
