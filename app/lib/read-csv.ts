/** Parses CSV (RFC 4180), also with LF alone and a byte order mark; an empty line is a record with one empty cell. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const content = text.replace(/^\ufeff/, "");
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < content.length) {
    const at = cell.lastIndex;
    const match = cell.exec(content);
    // A quote in the middle of a cell is taken literally, up to the cell's end.
    const [whole = "", quoted, plain = "", end = ""] = match ?? readLenientCell(content, at);
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    cell.lastIndex = at + whole.length;
    const isLast = cell.lastIndex >= content.length;
    if (end === ",") {
      if (isLast) record.push("");
      else continue;
    }
    records.push(record);
    record = [];
  }
  return records;
}

function readLenientCell(content: string, at: number): [string, undefined, string, string] {
  const rest = /([^,\r\n]*)(,|\r?\n|\r|$)/y;
  rest.lastIndex = at;
  const [whole = content.slice(at), plain = content.slice(at), end = ""] = rest.exec(content) ?? [];
  return [whole, undefined, plain, end];
}
