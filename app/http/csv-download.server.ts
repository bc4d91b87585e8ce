import { fileDownload } from "./file-download.server";
import { readForm } from "./form-data.server";
import { csvLine, type CsvCell } from "~/lib/csv";

const BYTE_ORDER_MARK = "\ufeff";

/**
 * Streams a CSV file of any length (fileDownload) in UTF-8, with a byte order mark when the form asks for Excel
 * (`for=excel`): for other programs it would become part of the first header.
 * @param name letters, digits, `.`, `-` and `_`. @param toLine returns a row's cells in the order of the header.
 */
export async function csvDownload<Row>(
  request: Request,
  name: string,
  header: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
  toLine: (row: Row) => readonly CsvCell[],
): Promise<Response> {
  const isForExcel = (await readForm(request)).for === "excel";
  async function* pieces(): AsyncGenerator<string> {
    yield (isForExcel ? BYTE_ORDER_MARK : "") + csvLine(header);
    for await (const rows of batches) yield rows.map((row) => csvLine(toLine(row))).join("");
  }
  return fileDownload({ name, type: "text/csv; charset=utf-8; header=present" }, pieces());
}
