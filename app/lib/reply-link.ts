import { listGraphemes } from "./clean-text";

/** Longest link that mail programs take: Windows hands them at most 2,083 characters. */
const MAX_LENGTH = 2000;
/** Ends a quote that was cut. */
const CUT = " […]";

interface Reply {
  readonly to: string;
  readonly subject: string;
  /** Line above the quote. */
  readonly intro: string;
  /** Text that is answered; quoted line by line, and cut where the link would become too long. */
  readonly quoted: string;
}

/** Creates the link that opens a reply in the mail program (RFC 6068), with the cursor above the quote. */
export function createReplyLink({ to, subject, intro, quoted }: Reply): string {
  const address = encode(to).replaceAll("%40", "@");
  const start = `mailto:${address}?subject=${encode(subject)}&body=${encode(`\n\n${intro}\n> `)}`;
  const whole = start + encodeQuote(quoted);
  if (whole.length <= MAX_LENGTH) return whole;
  const end = encode(CUT);
  let link = start;
  for (const grapheme of listGraphemes(quoted)) {
    const next = link + encodeQuote(grapheme);
    if (next.length + end.length > MAX_LENGTH) break;
    link = next;
  }
  return link + end;
}

const encodeQuote = (text: string) => encode(text.replaceAll("\n", "\n> "));

/** Line breaks of an email are CRLF. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed().replaceAll("\n", "\r\n"));
