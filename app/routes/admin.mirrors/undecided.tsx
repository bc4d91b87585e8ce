import { Form } from "@remix-run/react";
import { IntentButton } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { SheetView } from "./mirrors-view.server";

const copy = operatorMessages.mirrors.undecided;
const { forms } = operatorMessages.mirrors;

type Row = SheetView["undecided"][number];

/** Rows that nobody but a person can settle, each with the answers there are. */
export function Undecided({ sheet }: { sheet: SheetView }) {
  if (sheet.undecided.length === 0) return null;
  return (
    <section aria-label={copy.title(forms[sheet.kind])} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">{copy.title(forms[sheet.kind])}</h3>
      <ul className="flex flex-col divide-y border-t">
        {sheet.undecided.map((row) => (
          <li key={row.id} className="flex flex-col gap-2 py-3">
            <Facts row={row} />
            <Answers row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ row }: { row: Row }) {
  const reason = row.state === "left" || row.state === "refused" ? copy[row.state] : copy.uncertain;
  return (
    <div className="text-sm">
      <bdi className="line-clamp-2 font-medium wrap-anywhere">{row.name || copy.erased}</bdi>
      {row.email ? (
        <bdi className="line-clamp-2 font-mono text-xs wrap-anywhere text-muted-foreground">{row.email}</bdi>
      ) : null}
      <p className="mt-1 text-xs wrap-anywhere text-muted-foreground">
        {reason} {row.detail}
        {row.place === null ? null : ` (${copy.row(row.place)})`}
      </p>
    </div>
  );
}

function Answers({ row }: { row: Row }) {
  const who = row.name || copy.erased;
  const isRefused = row.state === "refused";
  const isLeft = row.state === "left";
  return (
    <Form method="post" action={paths.mirrors} className="flex flex-wrap gap-2">
      <input type="hidden" name="id" value={row.id} />
      {isRefused ? null : <Answer intent="done" name={isLeft ? copy.isGone : copy.isThere} who={who} />}
      {isLeft ? null : <Answer intent="again" name={copy.again} who={who} />}
    </Form>
  );
}

function Answer({ intent, name, who }: { intent: string; name: string; who: string }) {
  return (
    <IntentButton intent={intent} aria-label={copy.of(name, who)}>
      {name}
    </IntentButton>
  );
}
