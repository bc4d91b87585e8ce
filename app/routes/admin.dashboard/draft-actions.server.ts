import { report } from "~/http/action-result.server";
import { outreach } from "~/services/container.server";

/** Discards a draft and reports it at `path`, which offers to undo it. */
export async function discardDraft(draft: string, path: string) {
  const isDiscarded = await outreach.discardDraft(draft);
  return isDiscarded ? report("draft-discarded", path, { discarded: draft }) : report("draft-gone", path);
}

/** Undoes discardDraft and reports it at `path`. */
export async function restoreDraft(draft: string, path: string, search: Record<string, string> = {}) {
  const isRestored = await outreach.restoreDraft(draft);
  return isRestored ? report("draft-restored", path, search) : report("draft-gone", path);
}
