import { EmptyList } from "~/components/empty-list";
import { linkTo } from "~/http/list-state";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { totalOf } from "./filters";
import type { QuarantineView } from "./quarantine-view.server";

const copy = operatorMessages.quarantine;

/** Stands where the rows would: what will be here and how it gets here, or the way to where there are some. */
export function Empty({ view: { counts, values }, total }: { view: QuarantineView; total: number }) {
  if (totalOf(counts, {}) === 0) return <EmptyList title={copy.emptyTitle} then={copy.empty} />;
  if (total === 0)
    return <EmptyList title={copy.noMatch} then={{ to: paths.quarantine, name: copy.showAll }} />;
  return (
    <EmptyList title={copy.noOlder} then={{ to: linkTo(paths.quarantine, values), name: copy.toNewest }} />
  );
}
