import type { createDrafts } from "~/services/outreach/drafts.server";
import { report } from "./action-result.server";

type Drafts = Pick<ReturnType<typeof createDrafts>, "discardDraft" | "restoreDraft">;

/** Discards a draft and reports it at `path`, which offers to undo it. */
export async function discardDraft(drafts: Drafts, id: string, path: string): Promise<Response> {
  const isDiscarded = await drafts.discardDraft(id);
  return isDiscarded ? report("draft-discarded", path, { discarded: id }) : report("draft-gone", path);
}

/** Undoes discardDraft and reports it at `path`. @param search other parameters of `path`. */
export async function restoreDraft(
  drafts: Drafts,
  id: string,
  path: string,
  search: Record<string, string> = {},
): Promise<Response> {
  const isRestored = await drafts.restoreDraft(id);
  return isRestored ? report("draft-restored", path, search) : report("draft-gone", path);
}
