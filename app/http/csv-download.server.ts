import { csvLine, type CsvCell } from "~/lib/csv";
import { fileDownload } from "./file-download.server";
import { readForm } from "./form-data.server";

const BYTE_ORDER_MARK = "\ufeff";

type CsvColumns<Row> = readonly (readonly [name: string, getCell: (row: Row) => CsvCell])[];

/**
 * Streams a CSV file of any length (fileDownload) in UTF-8, with a byte order mark when the form asks for Excel
 * (`for=excel`): for other programs it would become part of the first header.
 * @param name letters, digits, `.`, `-` and `_`. @param columns the cells of a row by the names in the header, in pairs
 *   where names may repeat.
 */
export async function csvDownload<Row>(
  request: Request,
  name: string,
  columns: CsvColumns<Row> | Readonly<Record<string, CsvColumns<Row>[number][1]>>,
  batches: AsyncIterable<readonly Row[]>,
): Promise<Response> {
  const named: CsvColumns<Row> = Array.isArray(columns) ? columns : Object.entries(columns);
  const isForExcel = (await readForm(request)).for === "excel";
  async function* pieces(): AsyncGenerator<string> {
    yield (isForExcel ? BYTE_ORDER_MARK : "") + csvLine(named.map(([header]) => header));
    for await (const rows of batches)
      yield rows.map((row) => csvLine(named.map(([, getCell]) => getCell(row)))).join("");
  }
  return fileDownload({ name, type: "text/csv; charset=utf-8; header=present" }, pieces());
}
