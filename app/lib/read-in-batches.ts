/**
 * Reads page after page, each behind the last row of the one before, until a page is short. One batch is held at a time, and
 * none is read before it is asked for.
 * @param size how many rows a full page has.
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
