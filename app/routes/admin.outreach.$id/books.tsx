import { Link } from "@remix-run/react";
import { Card } from "~/components/ui/card";
import { cn } from "~/lib/class-names";
import { operatorMessages, skipReason } from "~/operator-messages";
import { paths } from "~/paths";
import type { Book } from "~/services/outreach/book.server";
import type { ListedState } from "./delivery-states";

const copy = operatorMessages.outreachBooks;

/** The books balance: selected = sent + failed + skipped + uncertain + waiting. Each figure leads to its rows. */
export function Books({
  sendId,
  book,
  selected,
}: {
  sendId: string;
  book: Book;
  selected: ListedState | undefined;
}) {
  const reasons = Object.entries(book.skippedByReason).map(
    ([reason, count]) => `${count} ${skipReason(reason)}`,
  );
  const entries = [
    { label: copy.selected, count: book.selected, state: undefined },
    { label: copy.sent, count: book.sent, state: "sent" },
    { label: copy.failed, count: book.failed, state: "failed" },
    { label: copy.skipped, count: book.skipped, state: "skipped", note: reasons.join(", ") },
    { label: copy.uncertain, count: book.uncertain, state: "uncertain" },
    { label: copy.waiting, count: book.pending, state: book.retrying > 0 ? "retrying" : "pending" },
  ] satisfies { label: string; count: number; state: ListedState | undefined; note?: string }[];

  return (
    <Card>
      <ul className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
        {entries.map(({ label, count, state, note }) => (
          <li key={label}>
            <Link
              to={state ? `${paths.outreachSend(sendId)}?state=${state}` : paths.outreachSend(sendId)}
              preventScrollReset
              aria-current={selected === state ? "true" : undefined}
              className={cn(
                "flex h-full flex-col gap-0.5 rounded-lg px-4 py-3 hover:bg-muted",
                selected === state && "bg-primary-surface hover:bg-primary-surface",
              )}
            >
              <span className="text-xs text-muted-foreground">{label}</span>
              <span className="text-xl font-semibold tabular-nums">{count.toLocaleString("en")}</span>
              {note ? <span className="text-xs text-muted-foreground">{note}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
