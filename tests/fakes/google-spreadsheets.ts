import { googleError } from "./google-errors";
import type { HostAnswer, HostRequest } from "./google-hosts";
import { parseRange, type Tab } from "./spreadsheet-grid";

const LARGEST_WORKBOOK = 10_000_000;
const LONGEST_CELL = 50_000;

export interface SharedSpreadsheet {
  readonly tabs: Tab[];
  readonly editors: ReadonlySet<string>;
  readonly isPublic: boolean;
}

const invalid = (message: string) => googleError(400, "INVALID_ARGUMENT", message);

/** Responds to a request as the Sheets API does for the account `who`. */
export function handleSheetsRequest(
  spreadsheets: ReadonlyMap<string, SharedSpreadsheet>,
  { method, url, body }: HostRequest,
  who: string,
): HostAnswer {
  const [, id = "", rest = ""] = /^\/v4\/spreadsheets\/([\w-]+)(.*)$/.exec(url.pathname) ?? [];
  const found = spreadsheets.get(id);
  if (!found) return googleError(404, "NOT_FOUND", "Requested entity was not found.");
  const mayRead = found.isPublic || found.editors.has(who);
  if (!mayRead || (method !== "GET" && !found.editors.has(who))) {
    return googleError(403, "PERMISSION_DENIED", "The caller does not have permission");
  }
  if (method === "GET" && rest === "") {
    const properties = found.tabs.map(({ sheetId, title, rows, columns }) => ({
      properties: { sheetId, title, gridProperties: { rowCount: rows, columnCount: columns } },
    }));
    return { status: 200, body: { sheets: properties } };
  }
  if (method === "POST" && rest === ":batchUpdate") return grow(id, found.tabs, JSON.parse(body));
  const range = decodeURIComponent(/^\/values\/([^/:]+)$/.exec(rest.replaceAll(":", "%3A"))?.[1] ?? "");
  const grid = parseRange(range, found.tabs);
  if (!grid) return invalid(`Unable to parse range: ${range}`);
  const { tab, first, last, left, right } = grid;
  const beyond = `Range (${range}) exceeds grid limits. Max rows: ${tab.rows}, max columns: ${tab.columns}`;
  if (method === "GET") {
    if (first > tab.rows || right > tab.columns) return invalid(beyond);
    const values = tab.read(first, last, left, right);
    return { status: 200, body: { range, majorDimension: "ROWS", ...(values.length > 0 && { values }) } };
  }
  if (method !== "PUT") return { status: 404, body: "<html>Not found</html>" };
  const option = url.searchParams.get("valueInputOption");
  if (!option) return invalid("'valueInputOption' is required but not specified");
  if (last > tab.rows || right > tab.columns) return invalid(beyond);
  const { values } = JSON.parse(body) as { values: string[][] };
  if (values.length > last - first + 1 || values.some((row) => row.length > right - left + 1)) {
    return invalid(`Requested writing within range [${range}], but tried writing more`);
  }
  if (values.flat().some((cell) => cell.length > LONGEST_CELL)) {
    return invalid("Your input contains more than the maximum of 50000 characters in a single cell.");
  }
  tab.write(first, left, values, option === "RAW");
  const counts = { updatedRows: values.length, updatedColumns: right - left + 1 };
  return { status: 200, body: { spreadsheetId: id, updatedRange: range, ...counts } };
}

function grow(
  spreadsheetId: string,
  tabs: Tab[],
  { requests }: { requests: { appendDimension: { sheetId: number; dimension: string; length: number } }[] },
): HostAnswer {
  for (const { appendDimension } of requests) {
    const tab = tabs.find(({ sheetId }) => sheetId === appendDimension.sheetId);
    if (!tab) return invalid("Invalid requests[0].appendDimension: No grid with id");
    const { dimension, length } = appendDimension;
    const rows = tab.rows + (dimension === "ROWS" ? length : 0);
    const columns = tab.columns + (dimension === "COLUMNS" ? length : 0);
    if (rows * columns > LARGEST_WORKBOOK) {
      return invalid(
        `Invalid requests[0].appendDimension: This action would increase the number of cells in the workbook above the limit of ${LARGEST_WORKBOOK} cells.`,
      );
    }
    Object.assign(tab, { rows, columns });
  }
  return { status: 200, body: { spreadsheetId, replies: requests.map(() => ({})) } };
}
