/**
 * Memoizes a function of a text; beyond `most` entries it forgets all, so that clients cannot exhaust the
 * memory. Without it a cached landing page misses its target, 0.75 of a bare server (`npm run bench -- landing`).
 */
export function memoize<Result>(compute: (text: string) => Result, most = 100): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = compute(text);
    if (known.size >= most) known.clear();
    known.set(text, result);
    return result;
  };
}
