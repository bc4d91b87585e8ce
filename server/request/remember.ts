/**
 * Remembers what was computed: what requests carry (hosts, encodings) repeats itself all day. When visitors send more
 * different texts than that, all are forgotten, so that nobody can fill the memory.
 */
export function remember<Result>(compute: (text: string) => Result, most = 100): (text: string) => Result {
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
