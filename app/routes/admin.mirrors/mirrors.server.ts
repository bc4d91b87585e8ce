import { mirrorInUse, mirrors } from "~/services/container.server";
import { COUNT_LIMIT, type MirrorOverview } from "~/services/mirrors/mirrors.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Builds the page from its URL: `?repair=` asks before that form's copy is repaired. */
export async function getMirrorsView(search: URLSearchParams) {
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

export type MirrorsView = Awaited<ReturnType<typeof getMirrorsView>>;
export type SheetView = MirrorsView["sheets"][number];

function toView(sheet: MirrorOverview) {
  const { kind, waiting, undecided, drifted, problem, detail } = sheet;
  return {
    kind,
    waiting,
    undecided,
    drifted,
    problem,
    detail,
    writtenAt: sheet.written_at,
    checkedAt: sheet.checked_at,
    triedAgainAt: sheet.not_before,
    isRepairing: sheet.is_repair_requested === 1,
    isMoreWaiting: waiting >= COUNT_LIMIT,
    state: getState(sheet),
  };
}

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
export async function actOnMirrors(request: Request, person: SignedIn): Promise<Response> {
  const form = typed(await readForm(request));
  const kind = SUBMISSION_KINDS.find((known) => known === form.kind);
  const operator = getActor(request, person);
  const { intent, id = "" } = form;
  if (!mirrors) return seeOther(paths.mirrors);
  if (intent === "repair" && kind && mirrorInUse?.canRead) {
    await mirrors.repair(kind, operator);
    return report("mirror-repair", paths.mirrors);
  }
  if (intent === "try-again" && kind) {
    await mirrors.retry(kind, operator);
    return report("mirror-again", paths.mirrors);
  }
  if (intent === "done" || intent === "again") {
    const decided = await mirrors.decide(id, intent, operator);
    return report(decided ? "mirror-decided" : "mirror-row-gone", paths.mirrors);
  }
  return seeOther(paths.mirrors);
}
