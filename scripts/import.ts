import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fail, openSettingsDatabase, readSettings } from "./command.ts";

/**
 * npm run import -- FILE.csv --form early-access --consent "..." [...]: imports people as the screen does (docs/import.md).
 * The server may be running.
 */
const { importMessages, importReasons, describeFileProblem, settingsProblems } =
  await import("../app/content/imports.ts");
const { guessMapping, IMPORT_FIELDS, IMPORTED_KINDS } = await import("../app/lib/import-columns.ts");
const { CHOSEN_ENCODINGS } = await import("../app/lib/import-encoding.ts");
const { DELIMITERS } = await import("../app/lib/import-file.ts");
const { mebibytes } = await import("../app/lib/sizes.ts");
const { newId } = await import("../app/services/service-deps.ts");
const { VERDICTS } = await import("../app/services/imports/import-state.ts");
const { createImports, findSettingsProblem } = await import("../app/services/imports/imports.server.ts");
const { workOnLines } = await import("../app/services/imports/import-work.server.ts");

const USAGE = `Usage: npm run import -- FILE.csv --form early-access|updates-signup --consent "Where it comes from"
  --map email=E-mail,name=Name     the file's columns, by header or number; the others are guessed
  --date-format dmy|mdy            what comes first in 03/04/2026
  --encoding ${CHOSEN_ENCODINGS.join("|")}
  --delimiter comma|semicolon|tab
  --dry-run                        checks the lines, and imports nobody
  --mirror                         also sends the sign-ups to the mirror`;

/** The longest file that is read whole. */
const MAX_BYTES = mebibytes(64);
/** Lines a transaction, which takes some 0.3 s: more often the disk would be waited for. A server writes between two. */
const PIECE = 1000;
const BETWEEN_PIECES_MS = 20;
const DELIMITER_NAMES = { comma: ",", semicolon: ";", tab: "\t" } as const;

const { values: options, positionals } = readArguments();
const [path, ...others] = positionals;
if (path === undefined || others.length > 0) fail(USAGE);
const kind = IMPORTED_KINDS.find((one) => one === options.form);
if (!kind) fail(`--form: which form do these people get? early-access or updates-signup.\n\n${USAGE}`);
const encoding = CHOSEN_ENCODINGS.find((one) => one === options.encoding);
if (options.encoding !== undefined && !encoding) fail(`--encoding: one of ${CHOSEN_ENCODINGS.join(", ")}.`);
const dateOrder = (["dmy", "mdy"] as const).find((one) => one === options["date-format"]);
if (options["date-format"] !== undefined && !dateOrder) fail("--date-format: dmy or mdy.");
const delimiter = readDelimiter(options.delimiter);

const file = readFile(path);
const environment = readSettings();
const database = await openSettingsDatabase(environment);
const deps = { database, clock: Date.now, newId };
const imports = createImports({ ...deps, wake: () => undefined });

const upload = await imports.upload(file, {
  delimiter,
  by: "command",
  chunk: PIECE,
});
if (!upload.ok) await end(`${path}: ${describeFileProblem(upload)} Nobody was imported.`);
else await importLines(upload.id);
await database.close();

async function importLines(id: string): Promise<void> {
  if (encoding) await imports.chooseEncoding(id, encoding);
  const view = await imports.find(id);
  if (!view) return end("The import was discarded.");
  if (view.isEncodingChosen && !encoding) {
    console.info(
      `The file is neither UTF-8 nor UTF-16; it is read as ${view.encoding}. Another: --encoding.`,
    );
  }
  const headers = view.columns.map(({ name }) => name);
  const mapped = readMapping(options.map ?? "", headers);
  if (typeof mapped === "string") return refuse(id, mapped);
  const mapping = { ...guessMapping(headers), ...mapped };
  const consent = (options.consent ?? "").trim();
  const column = mapping.signed_up_at === undefined ? undefined : view.columns[mapping.signed_up_at];
  const settings = {
    kind: kind ?? "early-access",
    mapping,
    consent,
    dateOrder: dateOrder ?? column?.order ?? "",
    isMirrored: options.mirror === true,
  } as const;
  const problem = findSettingsProblem(view, settings);
  if (problem) return refuse(id, `${settingsProblems[problem]}\n\n${USAGE}`);
  await imports.check(id, settings);
  await work(id);
  const checked = await imports.find(id);
  if (!checked) return end("The import was discarded.");
  const used = IMPORT_FIELDS.filter((field) => mapping[field] !== undefined);
  console.info(`${importMessages.lines(checked.lineCount)} in ${path}`);
  for (const field of used) {
    console.info(
      `  ${importMessages.fields[field]}: ${headers[mapping[field] ?? 0] || `column ${(mapping[field] ?? 0) + 1}`}`,
    );
  }
  for (const verdict of VERDICTS) {
    console.info(
      `${String(checked.counts[verdict]).padStart(8)}  ${importMessages.verdicts[verdict].toLowerCase()}`,
    );
  }
  await printInvalid(id);
  if (options["dry-run"]) {
    await imports.discard(id);
    console.info("Nobody was imported: this was a dry run.");
    return;
  }
  await imports.start(id, { by: "command", network: "", requestId: "" }, checked.settingsHash);
  await work(id);
  const done = await imports.find(id);
  console.info(
    `${importMessages.people(done?.storedCount ?? 0)} imported, ${done?.listedCount ?? 0} added to the suppression list. ` +
      "For ten minutes this can be undone at /admin/people/import.",
  );
}

/** Does an import's work piece by piece; a server beside this command may do some of it. */
async function work(id: string): Promise<void> {
  while (await workOnLines(deps, id, PIECE)) await pause(BETWEEN_PIECES_MS);
}

async function printInvalid(id: string): Promise<void> {
  const { lines, isLast } = await imports.listLines(id, { verdict: "invalid", limit: 10 });
  for (const { line, reason } of lines) console.info(`  line ${line}: ${importReasons[reason]}`);
  if (!isLast) console.info("  and more");
}

/** Discards an import that was uploaded. */
async function refuse(id: string, sentence: string): Promise<void> {
  await imports.discard(id);
  await end(sentence);
}

async function end(sentence: string): Promise<void> {
  await database.close();
  fail(sentence);
}

function readArguments() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const known = {
    form: text,
    consent: text,
    map: text,
    "date-format": text,
    encoding: text,
    delimiter: text,
    "dry-run": flag,
    mirror: flag,
  } as const;
  try {
    return parseArgs({ options: known, allowPositionals: true });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : ""}\n\n${USAGE}`);
  }
}

function readDelimiter(name: string | undefined) {
  if (name === undefined) return undefined;
  const delimiter = DELIMITERS.find(
    (one) => one === Object.entries(DELIMITER_NAMES).find(([key]) => key === name)?.[1],
  );
  return delimiter ?? fail("--delimiter: comma, semicolon or tab.");
}

/**
 * @param typed email=E-mail,name=Name
 * @returns the columns, or why it cannot be read.
 */
function readMapping(typed: string, headers: readonly string[]): Record<string, number> | string {
  const mapping: Record<string, number> = {};
  for (const pair of typed.split(",").filter((part) => part.trim() !== "")) {
    const [name = "", header = ""] = pair.split("=").map((part) => part.trim());
    const field = IMPORT_FIELDS.find((one) => one === name);
    if (!field) return `--map: ${name} is none of ${IMPORT_FIELDS.join(", ")}. Nobody was imported.`;
    const named = headers.findIndex((one) => one.toLowerCase() === header.toLowerCase());
    // A number, where the file has no headers.
    const index = named < 0 && /^[1-9]\d?$/.test(header) ? Number(header) - 1 : named;
    if (index < 0 || index >= headers.length)
      return `--map: the file has no column ${header}. It has: ${headers.join(", ")}. Nobody was imported.`;
    mapping[field] = index;
  }
  return mapping;
}

function readFile(path: string): File {
  try {
    if (statSync(path).size > MAX_BYTES)
      fail(`${path} is larger than 64 MiB. Please divide it. Nobody was imported.`);
    return new File([readFileSync(path)], basename(path));
  } catch {
    fail(`${path} cannot be read. Nobody was imported.`);
  }
}
