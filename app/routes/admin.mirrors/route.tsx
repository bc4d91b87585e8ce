import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { EmptyList } from "~/components/empty-list";
import { CircleAlert, CircleCheck, Clock, PencilLine, UserRound, type LucideIcon } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Card, CardAction, CardContent, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { mirrorMessages as copy } from "~/content/mirrors";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, mirrorInUse, mirrors } from "~/services/container.server";
import { COUNT_LIMIT, type MirrorOverview } from "~/services/mirrors/mirrors.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/** `?repair=` asks before that form's copy is repaired. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const search = new URL(request.url).searchParams;
  const sheets = (await mirrors?.overview()) ?? [];
  return {
    mirror: mirrorInUse,
    sheets: sheets.map(toView),
    repairing: mirrorInUse?.canRead
      ? SUBMISSION_KINDS.find((kind) => kind === search.get("repair"))
      : undefined,
    now: Date.now(),
  };
}

/** Leaves out the copy's address and its lease. */
function toView(sheet: MirrorOverview) {
  return {
    kind: sheet.kind,
    waiting: sheet.waiting,
    isMoreWaiting: sheet.waiting >= COUNT_LIMIT,
    undecided: sheet.undecided,
    isMoreUndecided: sheet.isMoreUndecided,
    drifted: sheet.drifted,
    problem: sheet.problem,
    detail: sheet.detail,
    writtenAt: sheet.written_at,
    checkedAt: sheet.checked_at,
    triedAgainAt: sheet.not_before,
    isRepairing: isRepairing(sheet),
    state: getState(sheet),
  };
}

/** One form's copy in the mirror; "sheet" also where the mirror is no spreadsheet. */
type SheetView = ReturnType<typeof toView>;

type SheetState = "stopped" | "delayed" | "moving" | "undecided" | "drifted" | "synced";

/** One that was asked for waits while the copy has a problem, and where it cannot be read back. */
const isRepairing = (sheet: MirrorOverview) =>
  sheet.is_repair_requested === 1 && sheet.problem === "" && mirrorInUse?.canRead === true;

/** Returns the most important state. "moving": something happens automatically within seconds. */
function getState(sheet: MirrorOverview): SheetState {
  if (sheet.problem === "misconfigured") return "stopped";
  if (sheet.problem === "deferred") return "delayed";
  if (sheet.connected_at === null || sheet.waiting > 0 || isRepairing(sheet)) return "moving";
  if (sheet.undecided.length > 0) return "undecided";
  return sheet.drifted > 0 ? "drifted" : "synced";
}

/** Repairs a copy, retries it, or applies an operator's decision about one row. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { intent, id = "", kind: name } = firstValues(await readForm(request));
  const kind = SUBMISSION_KINDS.find((known) => known === name);
  const by = getActor(request, operator);
  if (!mirrors) return seeOther(paths.mirrors);
  if (intent === "repair" && kind && mirrorInUse?.canRead) {
    await mirrors.repair(kind, by);
    return report("mirror-repair", paths.mirrors);
  }
  if (intent === "try-again" && kind) {
    await mirrors.retry(kind, by);
    return report("mirror-again", paths.mirrors);
  }
  if (intent === "done" || intent === "again") {
    const decided = await mirrors.decide(id, intent, by);
    return report(decided ? "mirror-decided" : "mirror-row-gone", paths.mirrors);
  }
  return seeOther(paths.mirrors);
}

export const clientAction = keepForm();

/** The Mirrors screen: the state of each copy of the submissions, and the rows that need a decision. */
export default function Mirrors() {
  const { mirror, sheets, repairing, now } = useLoaderData<typeof loader>();
  const inert = useInert(repairing !== undefined);
  if (!mirror) {
    return (
      <>
        <PageHeader title={copy.title} />
        <EmptyList title={copy.emptyTitle} description={copy.empty} />
      </>
    );
  }
  const isMoving = sheets.some((sheet) => sheet.state === "moving");
  return (
    <>
      <div {...inert}>
        <PageHeader title={copy.title} state={copy.state(copy.names[mirror.name])} />
        <Notice className="mb-4" />
        <div className="grid gap-4 xl:grid-cols-3">
          {sheets.map((sheet) => (
            <SheetCard key={sheet.kind} sheet={sheet} canRead={mirror.canRead} now={now} />
          ))}
        </div>
      </div>
      {repairing ? <RepairQuestion kind={repairing} isRepeatable={mirror.isRepeatable} /> : null}
      {isMoving && !repairing ? <AutoRefresh everySeconds={3} version={sheets} /> : null}
    </>
  );
}

/** Says what a repair overwrites, and asks. */
function RepairQuestion({ kind, isRepeatable }: { kind: SubmissionKind; isRepeatable: boolean }) {
  const { title, places, appends, keep, yes } = copy.question;
  return (
    <ConfirmDialog
      title={title(copy.forms[kind])}
      closeTo={paths.mirrors}
      intent="repair"
      yes={yes}
      no={keep}
      fields={<input type="hidden" name="kind" value={kind} />}
    >
      {(isRepeatable ? places : appends).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

const { undecided: undecidedCopy } = copy;

type Row = SheetView["undecided"][number];

/** Shows whether a form's copy is complete, and if not, why and what to do about it. */
function SheetCard({ sheet, canRead, now }: { sheet: SheetView; canRead: boolean; now: number }) {
  const { kind, drifted, problem, isRepairing } = sheet;
  const form = copy.forms[kind];
  return (
    <Card role="article" aria-labelledby={`copy-${kind}`} className="flex min-w-0 flex-col">
      <CardHeader>
        <CardTitle id={`copy-${kind}`}>{form}</CardTitle>
        <CardAction>
          <State sheet={sheet} />
        </CardAction>
      </CardHeader>
      <CardContent className="flex grow flex-col gap-4">
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
              <IntentButton intent="try-again" aria-label={copy.tryAgainLabel(form)} variant="default">
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
  const { state, waiting, isMoreWaiting, drifted, undecided, isRepairing } = sheet;
  const { badges } = copy;
  const all: { isShown: boolean; text: string; variant?: BadgeProps["variant"]; Icon?: LucideIcon }[] = [
    { isShown: state === "stopped", text: badges.stopped, variant: "destructive", Icon: CircleAlert },
    { isShown: state === "delayed", text: badges.delayed, variant: "warning", Icon: Clock },
    { isShown: undecided.length > 0, text: badges.undecided, variant: "warning", Icon: UserRound },
    { isShown: state === "synced", text: badges.synced, variant: "success", Icon: CircleCheck },
    { isShown: drifted > 0, text: badges.drifted(drifted), variant: "warning", Icon: PencilLine },
    { isShown: waiting > 0, text: badges.waiting(waiting, isMoreWaiting), Icon: Clock },
    { isShown: state === "moving" && waiting === 0 && !isRepairing, text: badges.connecting },
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

/** Lists the first rows that only a person can decide, each with its choices. */
function Undecided({ sheet }: { sheet: SheetView }) {
  if (sheet.undecided.length === 0) return null;
  const title = undecidedCopy.title(copy.forms[sheet.kind]);
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      <ul className="flex flex-col divide-y border-t">
        {sheet.undecided.map((row) => (
          <li key={row.id} data-row className="flex flex-col gap-2 py-3">
            <RowSummary row={row} />
            <Decisions row={row} />
          </li>
        ))}
      </ul>
      {sheet.isMoreUndecided ? (
        <p className="text-xs text-muted-foreground">{undecidedCopy.moreFollow}</p>
      ) : null}
    </section>
  );
}

/** Who the row is of: their name, or without one their address. */
const getLabel = ({ name, email }: Row) => name || email || undecidedCopy.erased;

function RowSummary({ row }: { row: Row }) {
  return (
    <div className="text-sm">
      <bdi className="line-clamp-2 font-medium wrap-anywhere">{getLabel(row)}</bdi>
      {row.name && row.email ? (
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
  const label = getLabel(row);
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

export { Failure as ErrorBoundary } from "~/components/failure";
