import { BookFigures } from "~/components/book-figures";
import { operatorMessages } from "~/content/operator-messages";
import { skipReason } from "~/content/outreach";
import { paths } from "~/paths";
import type { CampaignStats } from "~/services/outreach/campaign-stats.server";
import type { ListedState } from "./delivery-states";

const copy = operatorMessages.outreachBooks;

/** The books balance: selected = sent + failed + skipped + uncertain + waiting. */
export function Books({
  campaignId,
  book,
  selected,
}: {
  campaignId: string;
  book: CampaignStats;
  selected: ListedState | undefined;
}) {
  const reasons = Object.entries(book.skippedByReason).map(
    ([reason, count]) => `${count} ${skipReason(reason)}`,
  );
  const entries = [
    {
      label: copy.selected,
      count: book.selected,
      state: undefined,
      note: book.left > 0 ? copy.left(book.left) : undefined,
    },
    { label: copy.sent, count: book.sent, state: "sent", note: copy.returned(book.returned) },
    { label: copy.failed, count: book.failed, state: "failed" },
    { label: copy.skipped, count: book.skipped, state: "skipped", note: reasons.join(", ") },
    { label: copy.uncertain, count: book.uncertain, state: "uncertain" },
    { label: copy.waiting, count: book.pending, state: book.retrying > 0 ? "retrying" : "pending" },
  ] satisfies { label: string; count: number; state: ListedState | undefined; note?: string | undefined }[];
  const page = paths.outreachCampaign(campaignId);
  return (
    <BookFigures
      figures={entries.map(({ state, ...entry }) => ({
        ...entry,
        to: state ? `${page}?state=${state}` : page,
        isSelected: selected === state,
      }))}
    />
  );
}
