import { Link } from "@remix-run/react";
import { buttonVariants } from "~/components/ui/button";
import { linkTo } from "~/http/list-state";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { DEEDS, type QuarantineValues } from "./address";

const copy = operatorMessages.quarantine;

interface DeedsOfAllProps {
  values: QuarantineValues;
  /** The newest that matches: what "all" ends with. */
  through: string;
  total: number;
}

/** What can be done with all that match, on whichever page: both ask first. */
export function DeedsOfAll({ values, through, total }: DeedsOfAllProps) {
  const label = copy.allThatMatch(total);
  return (
    <div role="group" aria-label={label} className="flex items-center gap-2">
      <span aria-hidden className="text-xs text-muted-foreground tabular-nums">
        {label}
      </span>
      {DEEDS.map((step) => (
        <Link
          key={step}
          to={linkTo(paths.quarantine, { ...values, through, step })}
          preventScrollReset
          aria-label={copy.ask[step](total)}
          className={buttonVariants({ variant: step === "purge" ? "danger" : "secondary", size: "dense" })}
        >
          {copy[step]}
        </Link>
      ))}
    </div>
  );
}
