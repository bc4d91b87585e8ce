/** Rules for the plain text that an operator writes: merge fields and links. */

const MERGE_FIELD = /\{\{([^{}]*)\}\}/g;
const NAME_FIELD = /\{\{\s*name\s*\}\}/g;
/** Punctuation after a link belongs to the sentence. */
const SENTENCE_END = ".,;:!?'’”»";

/** Lists the unknown merge fields by name, each once, in order: `Hi {{nmae}}` gives ["nmae"]. */
export function listUnknownMergeFields(text: string): string[] {
  const names = Array.from(text.matchAll(MERGE_FIELD), ([, field = ""]) => field.trim());
  return [...new Set(names)].filter((field) => field !== "name");
}

/** Replaces the merge field `{{name}}`. */
export function mergeName(text: string, name: string): string {
  return text.replace(NAME_FIELD, () => name);
}

/** Strips the sentence's punctuation from a link: "https://x.example/a_(b))." gives "https://x.example/a_(b)". */
export function stripSentenceEnd(link: string): string {
  let unopened = link.split(")").length - link.split("(").length;
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link.charAt(end - 1);
    if (last === ")" && unopened > 0) unopened -= 1;
    else if (!SENTENCE_END.includes(last)) break;
  }
  return link.slice(0, end);
}
