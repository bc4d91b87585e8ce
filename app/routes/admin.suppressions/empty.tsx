import { EmptyList } from "~/components/empty-list";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { suppressionsAt, type SuppressionValues } from "./address";

const copy = operatorMessages.suppressions;

interface EmptyProps {
  because: "unused" | "no-match" | "no-older";
  values: SuppressionValues;
}

/** Stands where the addresses would: who will be here and why, or the way to where there are some. */
export function Empty({ because, values }: EmptyProps) {
  if (because === "unused") return <EmptyList title={copy.emptyTitle} then={copy.empty} />;
  return because === "no-match" ? (
    <EmptyList title={copy.noMatch} then={{ to: paths.suppressions, name: copy.showAll }} />
  ) : (
    <EmptyList title={copy.noOlder} then={{ to: suppressionsAt(values), name: copy.toNewest }} />
  );
}
