/** "1,234": as people read a count. */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}

/** "1,234.5": with so many digits after the point, also when they are zeros. */
export function decimal(value: number, digits = 1): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
