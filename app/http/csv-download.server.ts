import { csvLine, type CsvCell } from "~/lib/csv";
import { fileDownload } from "./file-download.server";
import { readForm } from "./form-data.server";

const BYTE_ORDER_MARK = "\ufeff";

/**
 * Streams a CSV file of any length (fileDownload) in UTF-8, with a byte order mark when the form asks for Excel
 * (`for=excel`): for other programs it would become part of the first header.
 * @param name letters, digits, `.`, `-` and `_`. @param columns the cells of a row by the names in the header.
 */
export async function csvDownload<Row>(
  request: Request,
  name: string,
  columns: Readonly<Record<string, (row: Row) => CsvCell>>,
  batches: AsyncIterable<readonly Row[]>,
): Promise<Response> {
  const cells = Object.values(columns);
  const isForExcel = (await readForm(request)).for === "excel";
  async function* pieces(): AsyncGenerator<string> {
    yield (isForExcel ? BYTE_ORDER_MARK : "") + csvLine(Object.keys(columns));
    for await (const rows of batches)
      yield rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join("");
  }
  return fileDownload({ name, type: "text/csv; charset=utf-8; header=present" }, pieces());
}
