import { EmptyList } from "~/components/empty-list";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { submissionsAt } from "./address";
import { isFiltered } from "./filter";
import type { SubmissionsView } from "./submissions-view.server";

const copy = operatorMessages.submissions;

/** Stands where the rows would: why there are none, and what to do about it. */
export function Empty({ view: { kind, values, errors, isFirst, recent } }: { view: SubmissionsView }) {
  if (errors) return <EmptyList title={copy.wrong} then={copy.wrongText} />;
  if (!isFirst) {
    const toFirst = { text: copy.noMoreText, to: submissionsAt(kind, values), name: copy.toFirst };
    return <EmptyList title={copy.noMore} then={toFirst} />;
  }
  if (isFiltered(values)) {
    const showAll = { text: copy.noMatchText, to: paths.submissionsOf(kind), name: copy.showAll };
    return <EmptyList title={copy.noMatch} then={showAll} />;
  }
  if (recent.length > 0) return <EmptyList title={copy.allDeleted} then={copy.allDeletedText} />;
  return <EmptyList title={copy.nobody} then={copy.nobodyText} />;
}
