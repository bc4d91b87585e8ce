/**
 * Reads page after page, each after the last row of the previous one and when requested, until one is short of
 * `size`.
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
