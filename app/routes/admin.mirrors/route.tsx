import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { EmptyList } from "~/components/empty-list";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { backOfficeTitle } from "~/content/brand";
import { mirrorMessages as copy } from "~/content/mirrors";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, mirrorInUse, mirrors } from "~/services/container.server";
import { COUNT_LIMIT, type MirrorOverview } from "~/services/mirrors/mirrors.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";
import { SheetCard } from "./sheet-card";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

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

export type SheetView = ReturnType<typeof toView>;

type State = "stopped" | "delayed" | "moving" | "undecided" | "drifted" | "synced";

/** Returns the most important state. "moving": something happens automatically within seconds. */
function getState(sheet: MirrorOverview): State {
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
        <PageHeader title={copy.title} />
        <EmptyList title={copy.emptyTitle} then={copy.empty} />
      </>
    );
  }
  const isMoving = sheets.some((sheet) => sheet.state === "moving");
  return (
    <>
      <PageHeader title={copy.title} state={copy.state(copy.names[mirror.name])} />
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

export { Failure as ErrorBoundary } from "~/components/failure";
