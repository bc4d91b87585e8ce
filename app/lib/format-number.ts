/** Formats a count with separators: "1,234". */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}

/** Formats a count with its noun: "1 submission", "1,234 submissions". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Formats a number with a fixed number of decimals: "1,234.5". */
export function decimal(value: number, digits = 1): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
