/** Parses CSV (RFC 4180), also with LF alone and a byte order mark; an empty line is a record with one empty cell. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const content = text.replace(/^\ufeff/, "");
  // A quote in the middle of a cell is taken literally, up to the cell's end.
  const cells = content.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|\r|$)/gy);
  for (const { index, 1: quoted, 2: plain = "", 3: end } of cells) {
    if (index === content.length && record.length === 0) break;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}
