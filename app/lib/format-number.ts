/** Formats a count with separators: "1,234". */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}

/** Formats a number with a fixed number of decimals: "1,234.5". */
export function decimal(value: number, digits = 1): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
