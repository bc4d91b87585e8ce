import { NoValue, toTooltip } from "~/components/data-table";
import { tableMessages as copy } from "~/content/lists";
import { truncate } from "~/lib/clean-text";

/** In graphemes (specification, section 9). */
const LIMIT = 50;

export function ExpandableText({ text }: { text: string }) {
  const line = text.replace(/\s+/gu, " ");
  const cut = truncate(line, LIMIT);
  if (text === "") return <NoValue>nothing more</NoValue>;
  if (cut === text)
    return (
      <bdi className="inline md:line-clamp-1" title={toTooltip(text)}>
        {text}
      </bdi>
    );
  return (
    <details className="group/text">
      <summary className="rounded-sm md:flex md:gap-1.5">
        <bdi className="min-w-0 group-open/text:hidden md:truncate">{cut}</bdi>{" "}
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
