import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { EmptyList } from "~/components/empty-list";
import { CircleAlert, CircleCheck, Clock, PencilLine, UserRound, type Icon } from "~/components/icons";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { ButtonLink, IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardFooter, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { mirrorMessages as copy } from "~/content/mirrors";
import { shortFormNames } from "~/content/submissions";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { grouped } from "~/lib/format-number";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, mirrorInUse, mirrors } from "~/services/container.server";
import { COUNT_LIMIT, type MirrorOverview } from "~/services/mirrors/mirrors.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";

export const meta: MetaFunction = () => [{ title: backOfficeTitle("Mirrors") }];

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
    drifted: sheet.drifted,
    problem: sheet.problem,
    detail: sheet.detail,
    writtenAt: sheet.written_at,
    checkedAt: sheet.checked_at,
    triedAgainAt: sheet.not_before,
    isRepairing: sheet.is_repair_requested === 1,
    state: getState(sheet),
  };
}

type SheetView = ReturnType<typeof toView>;

type SheetState = "stopped" | "delayed" | "moving" | "undecided" | "drifted" | "synced";

/** Returns the most important state. "moving": something happens automatically within seconds. */
function getState(sheet: MirrorOverview): SheetState {
  if (sheet.problem === "misconfigured") return "stopped";
  if (sheet.problem === "deferred") return "delayed";
  if (sheet.connected_at === null || sheet.waiting > 0 || sheet.is_repair_requested === 1) return "moving";
  if (sheet.undecided.length > 0) return "undecided";
  return sheet.drifted > 0 ? "drifted" : "synced";
}

/** Repairs a copy, retries it, or applies an operator's decision about one row. */
export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const { intent, id = "", kind: name } = typed(await readForm(request));
  const kind = SUBMISSION_KINDS.find((known) => known === name);
  const by = getActor(request, person);
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

/** The Mirrors screen: the state of each copy of the submissions, and the rows that need a decision. */
export default function Mirrors() {
  const { mirror, sheets, repairing, now } = useLoaderData<typeof loader>();
  if (!mirror) {
    return (
      <>
        <PageHeader title="Mirrors" />
        <EmptyList
          title="No mirror is set up"
          then="A mirror keeps a copy of every submission where others can work with it, such as a spreadsheet. Set SUBMISSION_MIRROR to choose one; see docs/mirrors.md."
        />
      </>
    );
  }
  const isMoving = sheets.some((sheet) => sheet.state === "moving");
  return (
    <>
      <PageHeader
        title="Mirrors"
        state={`Every accepted submission is copied to ${copy.names[mirror.name]} automatically. Signups and campaigns never wait for a copy.`}
      />
      <Notice className="mb-4" />
      <div className="grid gap-4 xl:grid-cols-3">
        {sheets.map((sheet) => (
          <SheetCard key={sheet.kind} sheet={sheet} canRead={mirror.canRead} now={now} />
        ))}
      </div>
      {repairing ? <RepairQuestion kind={repairing} isRepeatable={mirror.isRepeatable} /> : null}
      {isMoving && !repairing ? <AutoRefresh everySeconds={3} version={sheets} /> : null}
    </>
  );
}

/** Says what a repair overwrites, and asks. */
function RepairQuestion({ kind, isRepeatable }: { kind: SubmissionKind; isRepeatable: boolean }) {
  return (
    <ConfirmDialog
      title={`Repair the copy of ${shortFormNames[kind]}?`}
      closeTo={paths.mirrors}
      intent="repair"
      yes="Repair"
      no="Do not repair"
      fields={<input type="hidden" name="kind" value={kind} />}
    >
      <p>The whole sheet is read. Rows people added become submissions here; nobody is emailed.</p>
      <p>
        {isRepeatable
          ? "Our rows that were changed or removed are written again in their place. What was typed over them is lost there; people we did not know are imported first and get a row below."
          : "Our rows that are missing are sent again and appended. A changed row is sent again too; the changed one stays as it is."}
      </p>
    </ConfirmDialog>
  );
}

type Row = SheetView["undecided"][number];

interface SheetCardProps {
  sheet: SheetView;
  canRead: boolean;
  now: number;
}

/** Shows whether a form's copy is complete, and if not, why and what to do about it. */
function SheetCard({ sheet, canRead, now }: SheetCardProps) {
  const { kind, drifted, problem, isRepairing } = sheet;
  const form = shortFormNames[kind];
  return (
    <Card role="article" aria-labelledby={`copy-${kind}`} className="flex min-w-0 flex-col">
      <CardContent className="flex grow flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <CardTitle id={`copy-${kind}`}>{form}</CardTitle>
          <State sheet={sheet} />
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted-foreground">Last write</dt>
          <dd>
            <Moment at={sheet.writtenAt} now={now} />
          </dd>
          {canRead ? (
            <>
              <dt className="text-muted-foreground">Last check</dt>
              <dd>
                <Moment at={sheet.checkedAt} now={now} />
              </dd>
            </>
          ) : null}
        </dl>
        {problem === "" ? null : <SheetProblem sheet={sheet} now={now} />}
        {drifted > 0 ? (
          <p className="text-sm">
            {`${grouped(drifted)} of our rows ${drifted === 1 ? "was" : "were"} changed or removed there.`}
          </p>
        ) : null}
        {isRepairing ? <p className="text-sm">A repair is in progress.</p> : null}
        {canRead ? null : (
          <p className="text-xs text-muted-foreground">
            It cannot be read back, so changes made there are not detected.
          </p>
        )}
        <Undecided sheet={sheet} />
      </CardContent>
      {problem !== "" || canRead ? (
        <CardFooter className="flex-wrap">
          {problem === "" ? null : (
            <Form method="post" action={paths.mirrors}>
              <input type="hidden" name="kind" value={kind} />
              <IntentButton intent="try-again" aria-label={`Try again: ${form}`} variant="primary">
                Try again
              </IntentButton>
            </Form>
          )}
          {canRead ? (
            <ButtonLink
              to={`${paths.mirrors}?repair=${kind}`}
              preventScrollReset
              aria-label={`Repair the copy of ${form}`}
            >
              Repair
            </ButtonLink>
          ) : null}
        </CardFooter>
      ) : null}
    </Card>
  );
}

function State({ sheet }: { sheet: SheetView }) {
  const { state, waiting, isMoreWaiting, drifted, undecided } = sheet;
  const all: { isShown: boolean; text: string; variant?: BadgeProps["variant"]; Icon?: Icon }[] = [
    { isShown: state === "stopped", text: "Stopped", variant: "danger", Icon: CircleAlert },
    { isShown: state === "delayed", text: "Delayed", variant: "warning", Icon: Clock },
    { isShown: undecided.length > 0, text: "Needs review", variant: "warning", Icon: UserRound },
    { isShown: state === "synced", text: "In sync", variant: "success", Icon: CircleCheck },
    { isShown: drifted > 0, text: `${grouped(drifted)} drifted`, variant: "warning", Icon: PencilLine },
    { isShown: waiting > 0, text: `${grouped(waiting)}${isMoreWaiting ? "+" : ""} waiting`, Icon: Clock },
    { isShown: state === "moving" && waiting === 0, text: "Connecting" },
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
  return at === null ? "never" : <Timestamp at={at} now={now} />;
}

/** Shows the error as the other system reports it. */
function SheetProblem({ sheet, now }: { sheet: SheetView; now: number }) {
  const isStopped = sheet.problem === "misconfigured";
  return (
    <div className="flex flex-col gap-1 border-l-2 border-warning pl-3 text-sm">
      <p>
        {isStopped ? (
          "Nothing is written until this is fixed and somebody presses “Try again”:"
        ) : (
          <>
            Failed, retrying <Timestamp at={sheet.triedAgainAt} now={now} />.
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
  const title = `Rows of ${shortFormNames[sheet.kind]} to review`;
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
      <bdi className="line-clamp-2 font-medium wrap-anywhere">{row.name || DELETED_PERSON}</bdi>
      {row.email ? (
        <bdi className="line-clamp-2 font-mono text-xs wrap-anywhere text-muted-foreground">{row.email}</bdi>
      ) : null}
      <p className="mt-1 text-xs wrap-anywhere text-muted-foreground">
        {copy.undecided[row.state]} {row.detail}
        {row.place === null ? null : ` (written as number ${grouped(row.place)})`}
      </p>
    </div>
  );
}

const DELETED_PERSON = "A person deleted here";

const DECISIONS = {
  uncertain: { done: "It is there", again: "Write again" },
  refused: { again: "Write again" },
  left: { done: "It was removed" },
};

function Decisions({ row }: { row: Row }) {
  const label = row.name || DELETED_PERSON;
  return (
    <Form method="post" action={paths.mirrors} className="flex flex-wrap gap-2">
      <input type="hidden" name="id" value={row.id} />
      {Object.entries(DECISIONS[row.state]).map(([intent, name]) => (
        <IntentButton key={intent} intent={intent} aria-label={`${name}: ${label}`}>
          {name}
        </IntentButton>
      ))}
    </Form>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
