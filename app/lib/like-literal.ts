/** A text as part of a pattern for `like ... escape '!'`: it stands for nothing but itself. */
export function likeLiteral(text: string): string {
  return text.replaceAll(/[!%_]/g, "!$&");
}
