import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";

type PageHeaderProps = {
  title: string;
  /** One sentence about the current state: "Addresses here get no emails." */
  state?: ReactNode;
  /** A second sentence that ends with the time of the newest entry: "Last added 4 minutes ago." */
  latest?: { text: string; at: number; now: number } | undefined;
  actions?: ReactNode;
};

export function PageHeader({ title, state, latest, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h1 className="text-lg font-semibold tracking-tight wrap-anywhere">
          <bdi>{title}</bdi>
        </h1>
        {state ? (
          <p className="max-w-[42.9em] text-sm text-muted-foreground">
            {state}
            {latest ? (
              <>
                {" "}
                {latest.text} <Timestamp at={latest.at} now={latest.now} />.
              </>
            ) : null}
          </p>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  );
}
