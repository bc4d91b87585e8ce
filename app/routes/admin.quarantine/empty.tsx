import { Link } from "@remix-run/react";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { quarantineAt, type Filter } from "./address";

const copy = operatorMessages.quarantine;

interface EmptyProps {
  because: "nothing-waits" | "no-match" | "no-older";
  filter: Filter;
}

/** Stands where the rows would: what will be here and how it gets here, or the way to where there are some. */
export function Empty({ because, filter }: EmptyProps) {
  return (
    <section className="rounded-lg border bg-surface px-4 py-12 text-center">
      <div className="mx-auto flex max-w-[56ch] flex-col gap-2">
        {because === "nothing-waits" ? (
          <>
            <h2 className="font-medium">{copy.emptyTitle}</h2>
            <p className="text-muted-foreground">{copy.empty}</p>
          </>
        ) : (
          <>
            <h2 className="font-medium">{because === "no-match" ? copy.noMatch : copy.noOlder}</h2>
            <p>
              <Link
                to={because === "no-match" ? paths.quarantine : quarantineAt(filter)}
                className="text-primary underline underline-offset-4"
              >
                {because === "no-match" ? copy.showAll : copy.toNewest}
              </Link>
            </p>
          </>
        )}
      </div>
    </section>
  );
}
