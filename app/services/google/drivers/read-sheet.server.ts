import { seconds } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import { Spreadsheet, type SpreadsheetOptions } from "./spreadsheet.server";

const TIMEOUT_MS = seconds(30);

/** `problem` is a sentence that says what to do; `isPassing` when nobody has to do anything but try again. */
export type SheetReading =
  | { readonly ok: true; readonly rows: readonly (readonly string[])[] }
  | { readonly ok: false; readonly problem: string; readonly isPassing: boolean };

/** Reads a range such as `sheet1!A2:C` of a spreadsheet, the rows as people see them, up to 5 MB of them. */
export async function readSheet(
  has: SpreadsheetOptions & { clock: Clock },
  range: string,
): Promise<SheetReading> {
  const spreadsheet = new Spreadsheet(has);
  try {
    return { ok: true, rows: await spreadsheet.read(range, AbortSignal.timeout(TIMEOUT_MS)) };
  } catch (error) {
    const { kind, detail } = spreadsheet.failureOf(error, has.clock());
    return { ok: false, problem: detail, isPassing: kind === "later" || kind === "unknown" };
  }
}
