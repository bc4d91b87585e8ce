import { formatCount, grouped } from "~/lib/format-number";
import type { ImportField, ImportedKind } from "~/lib/import-columns";
import type { DateOrder } from "~/lib/import-dates";
import type { ChosenEncoding } from "~/lib/import-encoding";
import { MAX_COLUMNS, MAX_LINES, type Delimiter, type FileProblem } from "~/lib/import-file";
import type { ImportState, LineReason, Verdict } from "~/services/imports/import-state";
import type { SettingsProblem } from "~/services/imports/imports.server";

/** What the screens of an import, its files and its command say. */

const problems: Record<FileProblem["problem"], string> = {
  empty: "The file is empty.",
  nul: "has a NUL character, which no text has. Save the file as CSV in UTF-8",
  "open-quote": "has a quote that is never closed",
  "long-line": "is longer than 64 KB, or a quote before it is never closed",
  "too-many-columns": `has more than ${MAX_COLUMNS} columns`,
  "too-many-lines": `The file has more than ${grouped(MAX_LINES)} lines. Please divide it.`,
  "no-lines": "The file has a line with the names of its columns, and nobody below it.",
};

/** Says why a line did not become a person, or what else is to be known of it. */
export function describeLine({ reason, isLeft }: { reason: LineReason; isLeft: boolean }): string {
  return isLeft ? importMessages.notImported : importReasons[reason];
}

/** Says why a file cannot be imported. */
export function describeFileProblem({ problem, line }: FileProblem): string {
  return line === undefined ? problems[problem] : `Line ${grouped(line)} ${problems[problem]}.`;
}

export const importReasons: Record<LineReason, string> = {
  "": "",
  "no-address": "There is no email address.",
  "not-an-address": "This is not an email address.",
  "more-cells": "The line has more cells than the first one; a quote may be missing.",
  "too-long": "The name or the company is longer than 200 characters.",
  "not-a-date": "The sign-up time cannot be read.",
  future: "The sign-up time is in the future.",
  "too-early": "The sign-up time is before the year 2000.",
  unconfirmed: "The file says that the address was not confirmed.",
  "no-consent": "There is no consent.",
  status: "The file says that nobody may write to this address.",
  "status-below": "A later line says that nobody may write to this address.",
  listed: "The address was on the suppression list before.",
  known: "The address is known here, and stays as it is.",
  repeated: "An earlier line has the same address.",
  "written-to": "They got an email since the import, are about to get one, or joined, so that they stay.",
  erased: "The person was erased.",
  failed: "Something went wrong here with this line, so that it was left out. The log says what.",
};

export const settingsProblems: Record<SettingsProblem, string> = {
  email: "Please choose the column with the email addresses.",
  consent: "Please say where the consent comes from, or choose a column that says it.",
  "date-order":
    "Please choose whether the day or the month comes first: dates such as 03/04/2026 can be read both ways.",
};

export const importMessages = {
  fields: {
    email: "Email address",
    name: "Name",
    first_name: "First name",
    last_name: "Last name",
    company: "Company",
    role: "Role",
    signed_up_at: "Signed up at",
    consent: "Consent",
    status: "Status",
    unsubscribed_at: "Unsubscribed at",
    source: "Source",
  } satisfies Record<ImportField, string>,
  kinds: {
    "early-access": "Early access",
    "updates-signup": "Updates",
  } satisfies Record<ImportedKind, string>,
  delimiters: { ",": "Comma", ";": "Semicolon", "\t": "Tab" } satisfies Record<Delimiter, string>,
  encodings: {
    "windows-1252": "Western European (Windows-1252, Latin-1)",
    "windows-1250": "Central European (Windows-1250)",
    "windows-1251": "Cyrillic (Windows-1251)",
    "iso-8859-2": "Central European (ISO 8859-2)",
    "iso-8859-15": "Western European with the euro sign (ISO 8859-15)",
    macintosh: "Western European (Macintosh)",
  } satisfies Record<ChosenEncoding, string>,
  dateOrders: { dmy: "The day: 31/12/2026", mdy: "The month: 12/31/2026" } satisfies Record<
    DateOrder,
    string
  >,
  verdicts: {
    new: "New",
    known: "Known",
    suppressed: "Suppressed",
    invalid: "Invalid",
    duplicate: "Duplicate",
  } satisfies Record<Verdict, string>,
  states: {
    reading: "Being read",
    uploaded: "Not mapped yet",
    checking: "Being checked",
    checked: "Ready",
    running: "Running",
    finished: "Finished",
    cancelled: "Cancelled",
    undoing: "Being undone",
    undone: "Undone",
    discarded: "Discarded",
  } satisfies Record<ImportState, string>,
  lines: (count: number) => formatCount(count, "line"),
  people: (count: number) => formatCount(count, "person", "people"),
  notImported: "Not imported: the import ended before this line, or was undone.",
  /** Stands for the header of a column in a file without headers. */
  column: (number: number) => `Column ${number}`,

  list: {
    title: "Import people",
    state:
      "From a CSV file of another product. Nobody gets an email, and whoever is known here stays as they are.",
    upload: "Choose a file",
    file: "CSV file",
    fileHint: "Up to 8 MB and 500,000 lines. The first line names the columns. Larger files: npm run import.",
    noFile: "Please choose a file.",
    separator: "Columns are separated by",
    detect: "What the file uses",
    next: "Continue",
    uploading: "Reading the file",
    steps: "Next you say what its columns are, and see a dry run. Nothing is imported before you say so.",
    past: "Imports",
    noneTitle: "No imports yet",
    none: "What you import appears here, with who imported it and what became of it.",
    columns: { file: "File", state: "State", people: "People", by: "By", at: "Uploaded" },
    unreached: "The server could not be reached. The file is still chosen: please try again.",
  },

  columnsPage: {
    title: "Columns",
    state: (lines: string, separator: string) => `${lines}, separated by ${separator.toLowerCase()}.`,
    wrongSeparator: "Are these not the columns?",
    uploadAgain: "Choose the file again, and what separates its columns",
    encoding: "Encoding",
    encodingHint:
      "The file is neither UTF-8 nor UTF-16, and does not say what it is. Choose what makes the names below read right.",
    applyEncoding: "Apply",
    preview: "The first rows",
    mapTitle: "What the columns are",
    notInFile: "Not in the file",
    hints: {
      email: "Lines without one are left out.",
      name: "Or the first and the last name.",
      first_name: "Where there is no whole name.",
      last_name: "Where there is no whole name.",
      company: "Kept for early access only.",
      role: "Executive, manager, developer, or other.",
      signed_up_at: "Without it they sign up now.",
      consent: "A line that says no is left out.",
      status: "Unsubscribed or bounced: suppressed.",
      unsubscribed_at: "Whoever has one is suppressed.",
      source: "Without it: import.",
    } satisfies Record<ImportField, string>,
    settingsTitle: "How they are imported",
    kind: "They signed up for",
    consent: "Where does their consent come from?",
    consentHint:
      "One sentence, such as “Signed up on our old site, which asked for it”. It is kept with each person. Optional where a column says it.",
    dateOrder: "What comes first in dates such as 03/04/2026?",
    chooseOrder: "Choose",
    mirror: "Also send them to the mirror",
    mirrorHint: "Ten minutes after the import, when it can no longer be undone.",
    check: "Check the lines",
    discard: "Discard the file",
  },

  page: {
    summary: (kind: string, by: string) => `${kind}, uploaded by ${by}.`,
    figures: "Lines by verdict",
    all: "Lines",
    unchecked: "not checked yet",
    checking: (done: number, all: number) => `Checked ${grouped(done)} of ${formatCount(all, "line")}.`,
    running: (done: number, all: number) =>
      `Imported ${grouped(done)} of ${formatCount(all, "person", "people")}.`,
    undoing: (stored: number, kept: number) =>
      stored > kept ? `Undoing. ${formatCount(stored - kept, "person", "people")} left.` : "Undoing.",
    goesOn: "This goes on by itself; you may leave the page.",
    ready: (people: number, suppressed: number) =>
      [
        `${formatCount(people, "person", "people")} would be imported.`,
        suppressed > 0 ? "Lines that say so also go to the suppression list." : "",
      ]
        .filter(Boolean)
        .join(" "),
    nobody: "Nobody in this file can be imported. The reasons are below.",
    start: (people: number) => `Import ${formatCount(people, "person", "people")}`,
    startListed: "Update the suppression list",
    changeColumns: "Change the columns",
    discard: "Discard the file",
    cancel: "Cancel the import",
    finished: (people: number, listed: number) => `${imported(people, listed)} No email was sent.`,
    cancelled: (people: number, listed: number) => `Cancelled. ${imported(people, listed)}`,
    undone: "Undone: its people and its entries on the suppression list are gone.",
    kept: (count: number) =>
      `${formatCount(count, "person", "people")} stayed: they got an email since, were about to get one, joined, or something went wrong with their line. They are marked below.`,
    mirrorWaits: "They are sent to the mirror once this can no longer be undone.",
    undoUntil: "It can be undone for ten minutes, until",
    undo: "Undo the import",
    undoTitle: "Undo this import?",
    undoText: (people: number, listed: number) =>
      [
        people > 0
          ? `${formatCount(people, "person", "people")} and what is noted about them are removed.`
          : "",
        listed > 0 ? `${formatCount(listed, "address", "addresses")} leave the suppression list.` : "",
        "Whoever got an email since, is about to get one, or joined stays.",
      ]
        .filter(Boolean)
        .join(" "),
    undoYes: "Undo",
    undoNo: "Keep them",
    lines: "Lines of the file",
    columns: { line: "Line", person: "Name and email", verdict: "Verdict", reason: "Reason" },
    rest: "Download the rest",
    noLines: "No lines",
    noLinesOfVerdict: "No line has this verdict.",
    linesGone: "The lines of an import are deleted seven days after it.",
    reasonColumn: "reason",
  },
};

function imported(people: number, listed: number): string {
  const added =
    listed > 0 ? ` and ${formatCount(listed, "address", "addresses")} added to the suppression list` : "";
  return `${formatCount(people, "person was", "people were")} imported${added}.`;
}
