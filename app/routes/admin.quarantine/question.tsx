import { Form, Link, useNavigation } from "@remix-run/react";
import { DialogPage } from "~/components/dialog-page";
import { Button, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";
import { quarantineAt, type Filter } from "./address";
import { totalOf } from "./filters";
import { FilterFields } from "./filter-fields";
import type { Question as View } from "./quarantine-view.server";

const copy = operatorMessages.quarantine;

interface QuestionProps {
  view: View;
  filter: Filter;
  before: string | undefined;
  ticked: readonly string[];
}

/** What cannot be undone says what becomes of how many and whose, and asks. What was ticked stays so on the way back. */
export function Question({ view, filter, before, ticked }: QuestionProps) {
  const { deed, through, counts, named } = view;
  const busy = useNavigation().formData?.get("intent") === deed;
  const total = totalOf(counts, {});
  const back = quarantineAt({ ...filter, before, ticked: through ? [] : ticked });
  return (
    <DialogPage title={copy.question[deed](total)} closeTo={back}>
      <div className="flex flex-col gap-3">
        <p>
          {listed(counts)} {copy.consequence[deed]}
        </p>
        <ul className="flex flex-col gap-1 border-l-2 pl-3">
          {named.map(({ id, name, email }) => (
            <li key={id} className="wrap-anywhere">
              <bdi className="line-clamp-2 font-medium">{name}</bdi>
              <bdi className="line-clamp-2 font-mono text-xs text-muted-foreground">{email}</bdi>
            </li>
          ))}
          {total > named.length ? (
            <li className="text-muted-foreground">{copy.andMore(total - named.length)}</li>
          ) : null}
        </ul>
        {through ? <p className="text-muted-foreground">{copy.arrivals}</p> : null}
      </div>
      <Form method="post" action={paths.quarantine} className="mt-6 flex flex-wrap justify-end gap-2">
        <FilterFields filter={filter} before={before} />
        {through ? (
          <input type="hidden" name="through" value={through} />
        ) : (
          ticked.map((id) => <input key={id} type="hidden" name="id" value={id} />)
        )}
        <Link
          to={back}
          preventScrollReset
          className={buttonVariants({ variant: "secondary", size: "dense" })}
        >
          {copy.keep}
        </Link>
        <Button
          type="submit"
          name="intent"
          value={deed}
          variant={deed === "purge" ? "danger" : "primary"}
          size="dense"
          disabled={busy}
        >
          {copy[deed]}
        </Button>
      </Form>
    </DialogPage>
  );
}

/** "2 early access signups and 1 contact inquiry" */
function listed(counts: View["counts"]): string {
  const parts = SUBMISSION_KINDS.flatMap((kind) => {
    const count = totalOf(counts, { kind });
    return count > 0 ? copy.of[kind](count) : [];
  });
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}
