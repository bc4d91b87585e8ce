import { fileDownload } from "~/file-download.server";
import { csvLine } from "~/lib/csv";
import type { CsvCell } from "~/lib/csv";

/**
 * A CSV file of any length, one batch at a time (fileDownload). UTF-8 without a byte order mark, which would become part of
 * the first header for every other program than Excel.
 * @param name the file's name: letters, digits, `.`, `-` and `_`.
 */
export function csvDownload(
  name: string,
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): Response {
  async function* pieces(): AsyncGenerator<string> {
    yield csvLine(header);
    for await (const lines of batches) yield lines.map(csvLine).join("");
  }
  return fileDownload({ name, type: "text/csv; charset=utf-8; header=present" }, pieces());
}
