/** Punctuation after a link belongs to the sentence. */
const SENTENCE_END = ".,;:!?'’”»";

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
