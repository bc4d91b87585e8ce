/** Yields pages of rows on demand, each after the last row of the one before, until one has fewer than `size` rows. */
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
