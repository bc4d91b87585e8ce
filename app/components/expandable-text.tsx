import { ChevronsDown } from "lucide-react";
import { NoValue, toTooltip } from "~/components/data-table";
import { tableMessages as copy } from "~/content/lists";
import { truncate } from "~/lib/clean-text";

/** In graphemes (specification, section 9). */
const LIMIT = 50;

/** Shows the beginning of a text, which opens in its place: from md on by an arrow, which leaves the line to the text. */
export function ExpandableText({ text }: { text: string }) {
  const line = text.replace(/\s+/gu, " ");
  const cut = truncate(line, LIMIT);
  if (text === "") return <NoValue>nothing more</NoValue>;
  if (cut === text)
    return (
      <bdi className="inline md:line-clamp-1 md:break-all" title={toTooltip(text)}>
        {text}
      </bdi>
    );
  return (
    <details className="group/text">
      <summary className="rounded-sm md:flex md:gap-1.5">
        <bdi className="min-w-0 group-open/text:hidden md:truncate">{cut}</bdi>{" "}
        <span className="whitespace-nowrap text-primary underline underline-offset-4 group-open/text:hidden md:sr-only">
          {copy.readAll}
        </span>
        <span className="text-primary underline underline-offset-4 not-group-open/text:hidden md:sr-only">
          {copy.readLess}
        </span>
        <ChevronsDown
          aria-hidden
          className="size-4 shrink-0 self-center text-muted-foreground group-open/text:rotate-180 max-md:hidden"
        />
      </summary>
      <bdi className="mt-1 block whitespace-pre-wrap">{text}</bdi>
    </details>
  );
}
