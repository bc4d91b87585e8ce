import { writeFileSync } from "node:fs";
import { readBenchResults } from "../bench/results";
import { aimsAreMet, formatMarkdown, describeMachine } from "../bench/table";
import { promises } from "./promises";
import { getTestOutcome, readResults, toDay } from "./results";
import type { TestResult } from "./results";
import { hardeningRows, specificationRows } from "./rows";
import type { Proof, Row } from "./rows";

const FILE = "docs/proof.md";

interface Section {
  readonly title: string;
  readonly about: string;
  /** Whether its rows are only counted, because the page they come from names their tests. */
  readonly isOnlyCounted?: boolean;
  readonly rows: readonly Row[];
}

/** Lists every promise by section; a function, because it reads docs/hardening.md and docs/specification.md. */
export function sections(): Section[] {
  return [
    { title: "Promises", about: "What the product promises its users as a whole.", rows: promises },
    {
      title: "Controls and failure promises",
      about: "The rows of [hardening.md](hardening.md), each with the files whose tests name its id.",
      rows: hardeningRows(),
    },
    {
      title: "Specification",
      about: "The rows of [specification.md](specification.md), which names the tests and the rulings.",
      isOnlyCounted: true,
      rows: specificationRows(),
    },
  ];
}

/** Joins the rows with the last results into docs/proof.md. */
export async function writeProof(): Promise<void> {
  writeFileSync(FILE, proofPage(sections(), readResults(), toDay(new Date())));
  console.info(`${FILE} is written.`);
}

export function proofPage(all: readonly Section[], results: readonly TestResult[], day: string): string {
  const judged = all.map((section) => ({
    ...section,
    rows: section.rows.map((row) => ({ row, verdict: getVerdict(row, results) })),
  }));
  const rows = judged.flatMap((section) => section.rows);
  const missed = rows.filter(({ verdict }) => !verdict.holds && !verdict.isOnlyNotRun);
  return [
    "# Proof",
    "",
    "Made by `npm run proof` (`npm run bench` and `npm run test:faults` call it at their end) of the last results of those two and of",
    "`npm test`. Nothing is written here by hand: the rows are in [hardening.md](hardening.md), [specification.md](specification.md) and `tests/proof/`.",
    "",
    `${day}, ${describeMachine()}.`,
    "",
    ...table(
      ["", "Rows", "Hold by tests that passed", "Tests did not run", "Do not hold"],
      judged.map(({ title, rows: own }) => [title, ...formatCounts(own.map(({ verdict }) => verdict))]),
    ),
    "",
    "## Not held",
    "",
    ...table(
      ["What", "Why"],
      missed.map(({ row, verdict }) => [row.what, verdict.why]),
    ),
    "",
    ...judged.filter(({ isOnlyCounted }) => !isOnlyCounted).flatMap(sectionTable),
    ...measuredSection(),
    ...runsSection(results),
  ].join("\n");
}

function formatCounts(verdicts: readonly Verdict[]): string[] {
  const holding = verdicts.filter(({ holds }) => holds).length;
  const notRun = verdicts.filter(({ isOnlyNotRun }) => isOnlyNotRun).length;
  return [verdicts.length, holding, notRun, verdicts.length - holding - notRun].map(String);
}

function sectionTable({
  title,
  about,
  rows,
}: Omit<Section, "rows"> & { rows: { row: Row; verdict: Verdict }[] }): string[] {
  const head = ["What", "Tests", "Last result"];
  const cells = rows.map(({ row, verdict }) => [row.what, verdict.tests, verdict.result]);
  return [`## ${title}`, "", about, "", ...table(head, cells), ""];
}

interface Verdict {
  readonly holds: boolean;
  /** True when the only objection is that some of its tests did not run. */
  readonly isOnlyNotRun: boolean;
  /** Reasons for which it does not hold. */
  readonly why: string;
  /** Files of the tests. */
  readonly tests: string;
  /** State and day of the first test that did not pass, otherwise of the one that ran longest ago. */
  readonly result: string;
}

/** Judges a row: it holds when nothing is noted against it and each of its tests passed when it last ran. */
export function getVerdict(row: Row, results: readonly TestResult[]): Verdict {
  const outcomes = row.tests.map((test) => ({ test, ...getOutcome(test, results) }));
  const bad = outcomes.filter(({ state }) => state !== "passed");
  const why = [
    ...(row.notHeld === undefined ? [] : [`Not held: ${row.notHeld}`]),
    ...bad.map(({ test: { file, id }, state }) => `**${state}**: \`${file}\`${id ? ` (${id})` : ""}`),
  ];
  const holds = why.length === 0 && row.tests.length > 0;
  const days = outcomes.map(({ day }) => day).sort();
  return {
    holds,
    isOnlyNotRun: row.notHeld === undefined && bad.length > 0 && bad.every(({ state }) => state === "not run"),
    why: why.join("<br>"),
    tests: [...new Set(row.tests.map(({ file }) => `\`${file}\``))].join(", "),
    result: holds ? `passed ${days[0]}` : `**${bad[0]?.state ?? "not held"}**`,
  };
}

/** Returns the outcome of a test, or of a bench by its aims. */
function getOutcome(test: Proof, results: readonly TestResult[]): { state: string; day: string } {
  const [, bench] = /^tests\/bench\/(\w+)\.ts$/.exec(test.file) ?? [];
  if (bench === undefined) return getTestOutcome(test, results);
  const kept = readBenchResults().find(({ name }) => name === bench);
  if (!kept) return { state: "not run", day: "" };
  if (kept.failure !== undefined) return { state: "failed", day: kept.day };
  return { state: aimsAreMet(kept.measured) ? "passed" : "aim missed", day: kept.day };
}

function measuredSection(): string[] {
  const kept = readBenchResults();
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
          formatMarkdown(kept.flatMap(({ measured }) => measured)),
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
