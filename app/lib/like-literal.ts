/** Escapes a text for use in `like ... escape '!'`, so that it matches only itself. */
export function likeLiteral(text: string): string {
  return text.replaceAll(/[!%_]/g, "!$&");
}
