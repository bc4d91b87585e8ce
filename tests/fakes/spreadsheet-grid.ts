/** A sheet of a spreadsheet: a grid of fixed size with texts in its cells. */
export class Tab {
  readonly sheetId = 0;
  title: string;
  rows: number;
  columns: number;
  readonly #cells: string[][] = [];

  constructor({ title = "Sheet1", rows = 1000, columns = 26, cells = [] as string[][] } = {}) {
    this.title = title;
    this.rows = rows;
    this.columns = columns;
    this.write(1, 1, cells, true);
  }

  /** Reads a range, counted from 1 and inclusive; trailing empty cells and rows are left out, as Google does. */
  read(first: number, last: number, left: number, right: number): string[][] {
    const rows: string[][] = [];
    for (let row = first; row <= Math.min(last, this.rows); row += 1) {
      const cells = Array.from({ length: right - left + 1 }, (_, at) => this.#cells[row]?.[left + at] ?? "");
      rows.push(cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1));
    }
    return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
  }

  /** Writes cells; unless `isRaw` (RAW) a formula is calculated, as when a person enters it. */
  write(first: number, left: number, values: readonly (readonly string[])[], isRaw: boolean): void {
    for (const [row, cells] of values.entries()) {
      const target = (this.#cells[first + row] ??= []);
      for (const [column, cell] of cells.entries()) {
        target[left + column] = !isRaw && cell.startsWith("=") ? "#CALCULATED" : cell;
      }
    }
  }

  /** All rows, row 1 first. */
  get allRows(): string[][] {
    return this.read(1, this.rows, 1, this.columns);
  }

  /** Removes rows at the end of the grid, as a person can. */
  truncate(rows: number): void {
    this.rows = rows;
    this.#cells.length = Math.min(this.#cells.length, rows + 1);
  }
}

const toColumn = (letters: string) => letters.charCodeAt(0) - 64;

/** Parses A1 notation as far as it is used: `'title'!A2:E501`, `title!A1:E`. */
export function parseRange(range: string, tabs: readonly Tab[]) {
  const [, quoted, bare, from = "", first = "", to = "", last] =
    /^(?:'((?:[^']|'')+)'|([^'!]+))!([A-Z])(\d+):([A-Z])(\d+)?$/.exec(range.replace(/!([A-Z]):/, "!$11:")) ??
    [];
  const title = (quoted?.replaceAll("''", "'") ?? bare)?.toLowerCase();
  const tab = tabs.find((each) => each.title.toLowerCase() === title);
  if (!tab) return undefined;
  return {
    tab,
    first: Number(first),
    last: last === undefined ? tab.rows : Number(last),
    left: toColumn(from),
    right: toColumn(to),
  };
}
