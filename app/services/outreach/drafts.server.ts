import type { Campaign } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import type { ServiceDeps } from "~/services/service-deps";
import { findCampaign } from "./campaign-stats.server";
import { getContentHash } from "./confirm.server";
import { lockCampaign } from "./campaigns.server";

export interface DraftContent extends Pick<Campaign, "audience" | "title" | "message"> {
  readonly testAddress: string;
}

/** The version of a draft that another form saved: a colleague's, or the operator's own in another window. */
export interface SavedDraft extends Pick<Campaign, "id" | "audience" | "title" | "message"> {
  /** See getContentHash. */
  readonly contentHash: string;
  /** Account that saved it. */
  readonly by: string;
  readonly at: number;
}

/** "changed": another form saved different content since this one was loaded, and nothing was written. */
export type DraftSaving = { ok: true; id: string } | { ok: false; error: "changed"; saved: SavedDraft };

/** Creates the operations on drafts. */
export function createDrafts(deps: ServiceDeps) {
  const { database, clock, newId } = deps;

  /**
   * Saves a draft, complete or not. A confirmed campaign is never changed: its content becomes a new draft.
   * Saving a discarded draft restores it.
   * @param draft.id of the form (newDraftId), so that a form sent twice at once creates one draft
   * @param draft.base hash of the content the form was loaded with (getContentHash). Refuses to overwrite
   * different content that another form saved since; without `base`, overwrites it.
   * @param draft.form id of the form as loaded by one window, which may overwrite what it saved itself
   * @returns the draft's id, which becomes the campaign's.
   */
  function saveDraft(
    draft: DraftContent & {
      id?: string | undefined;
      base?: string | undefined;
      form?: string | undefined;
      createdBy: string;
    },
  ): Promise<DraftSaving> {
    return database.write(async (trx): Promise<DraftSaving> => {
      const known = draft.id ? await lockCampaign(trx, draft.id) : undefined;
      const now = clock();
      const by = draft.createdBy;
      const content = {
        audience: draft.audience,
        title: draft.title,
        message: draft.message,
        test_address: draft.testAddress,
        touched_at: now,
        touched_by: by,
        touched_form: draft.form ?? "",
        finished_at: null,
      };
      if (known?.state === "draft") {
        const contentHash = getContentHash(known);
        const isSeen = contentHash === draft.base || contentHash === getContentHash(draft);
        const isOwn = draft.form !== undefined && known.touched_form === draft.form;
        if (draft.base !== undefined && !isOwn && !isSeen) {
          const { id, audience, title, message, touched_by: author, touched_at: at } = known;
          const saved = { id, audience, title, message, contentHash, by: author, at };
          return { ok: false, error: "changed", saved };
        }
        await trx.updateTable("campaigns").set(content).where("id", "=", known.id).execute();
        return { ok: true, id: known.id };
      }
      const id = !known && draft.id && isUuid(draft.id) ? draft.id : newId();
      await trx
        .insertInto("campaigns")
        .values({
          id,
          state: "draft",
          ...content,
          created_by: by,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(content).where("campaigns.state", "=", "draft"),
        )
        .execute();
      return { ok: true, id };
    });
  }

  return {
    newDraftId: newId,
    saveDraft,

    /**
     * Creates a draft with the audience and the content of a campaign, whatever its status.
     * @returns the draft's id; undefined when there is no such campaign.
     */
    async copyAsDraft(campaignId: string, createdBy: string): Promise<string | undefined> {
      const campaign = await findCampaign(database.read, campaignId);
      if (!campaign || campaign.state === "draft") return undefined;
      const { audience, title, message, test_address: testAddress } = campaign;
      const saving = await saveDraft({ audience, title, message, testAddress, createdBy });
      return saving.ok ? saving.id : undefined;
    },

    /** Hides a draft from every list until the sweep deletes it. @returns false when there is no such draft. */
    discardDraft: (id: string): Promise<boolean> => setDiscarded(id, clock()),

    /** Undoes discardDraft. @returns false when the draft was swept or confirmed. */
    restoreDraft: (id: string): Promise<boolean> => setDiscarded(id, null),
  };

  async function setDiscarded(id: string, at: number | null): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { numUpdatedRows } = await database.write((trx) =>
      trx
        .updateTable("campaigns")
        .set({ finished_at: at })
        .where("id", "=", id)
        .where("state", "=", "draft")
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }
}
