import { truncate } from "~/lib/clean-text";
import { quarantineMessages as copy } from "~/content/quarantine";

/** In graphemes (specification, section 9). */
const LIMIT = 50;

export function ExpandableText({ text }: { text: string }) {
  const line = text.replace(/\s+/gu, " ");
  const cut = truncate(line, LIMIT);
  if (text === "") {
    return (
      <span className="text-muted-foreground">
        <span aria-hidden>–</span>
        <span className="sr-only">nothing more</span>
      </span>
    );
  }
  if (cut === text) return <bdi className="inline">{text}</bdi>;
  return (
    <details className="group/text">
      <summary className="rounded-sm">
        <bdi className="group-open/text:hidden">{cut}</bdi>{" "}
        <span className="whitespace-nowrap text-primary underline underline-offset-4 group-open/text:hidden">
          {copy.readAll}
        </span>
        <span className="text-primary underline underline-offset-4 not-group-open/text:hidden">
          {copy.readLess}
        </span>
      </summary>
      <bdi className="mt-1 block whitespace-pre-wrap">{text}</bdi>
    </details>
  );
}
