import { Form } from "@remix-run/react";
import { CircleAlert, CircleCheck, Clock, PencilLine, UserRound, type Icon } from "~/components/icons";
import { Timestamp } from "~/components/timestamp";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { ButtonLink, IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardFooter, CardTitle } from "~/components/ui/card";
import { mirrorMessages as copy } from "~/content/mirrors";
import { paths } from "~/paths";
import type { SheetView } from "./route";

const { undecided: undecidedCopy } = copy;

type Row = SheetView["undecided"][number];

interface SheetCardProps {
  sheet: SheetView;
  canRead: boolean;
  now: number;
}

/** Shows whether a form's copy is complete, and if not, why and what to do about it. */
export function SheetCard({ sheet, canRead, now }: SheetCardProps) {
  const { kind, drifted, problem, isRepairing } = sheet;
  const form = copy.forms[kind];
  return (
    <Card role="article" aria-labelledby={`copy-${kind}`} className="flex min-w-0 flex-col">
      <CardContent className="flex grow flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <CardTitle id={`copy-${kind}`}>{form}</CardTitle>
          <State sheet={sheet} />
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted-foreground">{copy.lastWrite}</dt>
          <dd>
            <Moment at={sheet.writtenAt} now={now} />
          </dd>
          {canRead ? (
            <>
              <dt className="text-muted-foreground">{copy.lastCheck}</dt>
              <dd>
                <Moment at={sheet.checkedAt} now={now} />
              </dd>
            </>
          ) : null}
        </dl>
        {problem === "" ? null : <SheetProblem sheet={sheet} now={now} />}
        {drifted > 0 ? <p className="text-sm">{copy.drift(drifted)}</p> : null}
        {isRepairing ? <p className="text-sm">{copy.repairUnderWay}</p> : null}
        {canRead ? null : <p className="text-xs text-muted-foreground">{copy.cannotBeRead}</p>}
        <Undecided sheet={sheet} />
      </CardContent>
      {problem !== "" || canRead ? (
        <CardFooter className="flex-wrap">
          {problem === "" ? null : (
            <Form method="post" action={paths.mirrors}>
              <input type="hidden" name="kind" value={kind} />
              <IntentButton intent="try-again" aria-label={copy.tryAgainLabel(form)} variant="primary">
                {copy.tryAgain}
              </IntentButton>
            </Form>
          )}
          {canRead ? (
            <ButtonLink
              to={`${paths.mirrors}?repair=${kind}`}
              preventScrollReset
              aria-label={copy.repairLabel(form)}
            >
              {copy.repair}
            </ButtonLink>
          ) : null}
        </CardFooter>
      ) : null}
    </Card>
  );
}

function State({ sheet }: { sheet: SheetView }) {
  const { state, waiting, isMoreWaiting, drifted, undecided } = sheet;
  const { badges } = copy;
  const all: { isShown: boolean; text: string; variant?: BadgeProps["variant"]; Icon?: Icon }[] = [
    { isShown: state === "stopped", text: badges.stopped, variant: "danger", Icon: CircleAlert },
    { isShown: state === "delayed", text: badges.delayed, variant: "warning", Icon: Clock },
    { isShown: undecided.length > 0, text: badges.undecided, variant: "warning", Icon: UserRound },
    { isShown: state === "synced", text: badges.synced, variant: "success", Icon: CircleCheck },
    { isShown: drifted > 0, text: badges.drifted(drifted), variant: "warning", Icon: PencilLine },
    { isShown: waiting > 0, text: badges.waiting(waiting, isMoreWaiting), Icon: Clock },
    { isShown: state === "moving" && waiting === 0, text: badges.connecting },
  ];
  const shown = all.filter(({ isShown }) => isShown);
  return (
    <p className="flex flex-wrap gap-1.5">
      {shown.map(({ text, variant, Icon }) => (
        <Badge key={text} variant={variant}>
          {Icon ? <Icon aria-hidden /> : null}
          {text}
        </Badge>
      ))}
    </p>
  );
}

function Moment({ at, now }: { at: number | null; now: number }) {
  return at === null ? copy.never : <Timestamp at={at} now={now} />;
}

/** Shows the error as the other system reports it. */
function SheetProblem({ sheet, now }: { sheet: SheetView; now: number }) {
  const isStopped = sheet.problem === "misconfigured";
  return (
    <div className="flex flex-col gap-1 border-l-2 border-warning pl-3 text-sm">
      <p>
        {isStopped ? (
          copy.stopped
        ) : (
          <>
            {copy.delayed} <Timestamp at={sheet.triedAgainAt} now={now} />.
          </>
        )}
      </p>
      <p className="font-mono text-xs wrap-anywhere">{sheet.detail}</p>
    </div>
  );
}

/** Lists the rows that only a person can decide, each with its choices. */
function Undecided({ sheet }: { sheet: SheetView }) {
  if (sheet.undecided.length === 0) return null;
  const title = undecidedCopy.title(copy.forms[sheet.kind]);
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      <ul className="flex flex-col divide-y border-t">
        {sheet.undecided.map((row) => (
          <li key={row.id} className="flex flex-col gap-2 py-3">
            <RowSummary row={row} />
            <Decisions row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RowSummary({ row }: { row: Row }) {
  return (
    <div className="text-sm">
      <bdi className="line-clamp-2 font-medium wrap-anywhere">{row.name || undecidedCopy.erased}</bdi>
      {row.email ? (
        <bdi className="line-clamp-2 font-mono text-xs wrap-anywhere text-muted-foreground">{row.email}</bdi>
      ) : null}
      <p className="mt-1 text-xs wrap-anywhere text-muted-foreground">
        {undecidedCopy[row.state]} {row.detail}
        {row.place === null ? null : ` (${undecidedCopy.row(row.place)})`}
      </p>
    </div>
  );
}

const DECISIONS = {
  uncertain: { done: undecidedCopy.isThere, again: undecidedCopy.again },
  refused: { again: undecidedCopy.again },
  left: { done: undecidedCopy.isGone },
};

function Decisions({ row }: { row: Row }) {
  const label = row.name || undecidedCopy.erased;
  return (
    <Form method="post" action={paths.mirrors} className="flex flex-wrap gap-2">
      <input type="hidden" name="id" value={row.id} />
      {Object.entries(DECISIONS[row.state]).map(([intent, name]) => (
        <IntentButton key={intent} intent={intent} aria-label={undecidedCopy.of(name, label)}>
          {name}
        </IntentButton>
      ))}
    </Form>
  );
}
