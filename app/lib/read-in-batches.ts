/**
 * Reads page after page, each after the last row of the previous one, until a page is short. Holds one batch at a
 * time, and reads none before it is requested.
 * @param size the number of rows in a full page.
 */
export async function* readInBatches<Row extends Key, Key>(
  size: number,
  readPage: (last: Key | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Key | undefined; ;) {
    const rows = await readPage(last);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}
