import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { SelectAll } from "~/components/select-all";
import { Button, buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { DEEDS, quarantineAt, type Deed, type QuarantineValues } from "./address";

const copy = operatorMessages.quarantine;
const VARIANTS = { release: "secondary", purge: "danger" } as const satisfies Record<Deed, string>;

/** What can be done with the ticked ones; the release of what one has ticked alone asks nothing. */
export function DeedsOfTicked() {
  return (
    <div className="sticky top-12 z-10 flex items-center justify-between gap-x-6 rounded-t-lg border-b bg-surface px-3 py-2 md:justify-start">
      <SelectAll label={copy.tickAll} />
      <Group label={copy.ticked} labelClassName="max-sm:hidden">
        <Button type="submit" name="intent" value="release" variant={VARIANTS.release} size="dense">
          {copy.release}
        </Button>
        <Button
          type="submit"
          formMethod="get"
          name="step"
          value="purge"
          variant={VARIANTS.purge}
          size="dense"
        >
          {copy.purge}
        </Button>
      </Group>
    </div>
  );
}

interface DeedsOfAllProps {
  values: QuarantineValues;
  /** The newest that matches: what "all" ends with. */
  through: string;
  total: number;
}

/** What can be done with all that match, on whichever page: both ask first. */
export function DeedsOfAll({ values, through, total }: DeedsOfAllProps) {
  return (
    <Group label={copy.allThatMatch(total)}>
      {DEEDS.map((step) => (
        <Link
          key={step}
          to={quarantineAt(values, { through, step })}
          preventScrollReset
          aria-label={copy.ask[step](total)}
          className={buttonVariants({ variant: VARIANTS[step], size: "dense" })}
        >
          {copy[step]}
        </Link>
      ))}
    </Group>
  );
}

type GroupProps = { label: string; labelClassName?: string; children: ReactNode };

function Group({ label, labelClassName, children }: GroupProps) {
  return (
    <div role="group" aria-label={label} className="flex items-center gap-2">
      <span aria-hidden className={cn("text-xs text-muted-foreground tabular-nums", labelClassName)}>
        {label}
      </span>
      {children}
    </div>
  );
}
