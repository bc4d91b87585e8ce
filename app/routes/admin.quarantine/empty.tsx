import { EmptyList } from "~/components/empty-list";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { quarantineAt, type QuarantineValues } from "./address";

const copy = operatorMessages.quarantine;

interface EmptyProps {
  because: "nothing-waits" | "no-match" | "no-older";
  values: QuarantineValues;
}

/** Stands where the rows would: what will be here and how it gets here, or the way to where there are some. */
export function Empty({ because, values }: EmptyProps) {
  if (because === "nothing-waits") return <EmptyList title={copy.emptyTitle} then={copy.empty} />;
  return because === "no-match" ? (
    <EmptyList title={copy.noMatch} then={{ to: paths.quarantine, name: copy.showAll }} />
  ) : (
    <EmptyList title={copy.noOlder} then={{ to: quarantineAt(values), name: copy.toNewest }} />
  );
}
