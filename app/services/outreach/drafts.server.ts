import type { Write } from "~/db/database.server";
import type { Campaign } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import type { ServiceDeps } from "~/services/service-deps";
import { findCampaign } from "./campaign-lists.server";
import { getContentHash, type ReviewedContent } from "./confirm.server";
import { isDiscarded, lockCampaign } from "./campaigns.server";
import { findTemplate, type Template } from "./templates.server";

export interface DraftContent extends Omit<ReviewedContent, "template_id" | "id"> {
  readonly testAddress: string;
}

/** Returns what a draft has of a stored campaign. */
export const toDraftContent = ({
  audience,
  narrowing,
  title,
  message,
  format,
  test_address: testAddress,
}: Omit<DraftContent, "testAddress"> & { test_address: string }): DraftContent => ({
  audience,
  narrowing,
  title,
  message,
  format,
  testAddress,
});

/** The version of a draft that another form saved: a colleague's, or the operator's own in another window. */
export interface SavedDraft extends Omit<ReviewedContent, "id">, Pick<Campaign, "id"> {
  /** See getContentHash. */
  readonly contentHash: string;
  /** Account that saved it. */
  readonly by: string;
  readonly at: number;
}

/**
 * `isCopy`: the campaign was confirmed, so that its content became a new draft. "changed": another form saved different content
 * since this one was loaded, and nothing was written.
 */
export type DraftSaving =
  { ok: true; id: string; isCopy: boolean } | { ok: false; error: "changed"; saved: SavedDraft };

/** "has-text": the draft has a text of its own, and nothing was written. */
export type DraftStart = { ok: true } | { ok: false; error: "draft-gone" | "template-gone" | "has-text" };

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
   * @param draft.templateId of the template that the text of a new draft is from; a saved draft keeps its own
   * @returns the draft's id, which becomes the campaign's.
   */
  function saveDraft(
    draft: DraftContent & {
      id?: string | undefined;
      base?: string | undefined;
      form?: string | undefined;
      templateId?: string | null | undefined;
      createdBy: string;
    },
  ): Promise<DraftSaving> {
    return database.write(async (trx): Promise<DraftSaving> => {
      const known = draft.id ? await lockCampaign(trx, draft.id) : undefined;
      const now = clock();
      const by = draft.createdBy;
      const content = {
        audience: draft.audience,
        narrowing: draft.narrowing ?? "",
        title: draft.title,
        message: draft.message,
        format: draft.format,
        test_address: draft.testAddress,
        touched_at: now,
        touched_by: by,
        touched_form: draft.form ?? "",
        finished_at: null,
      };
      if (known?.state === "draft") {
        const contentHash = getContentHash(known);
        const isSeen =
          contentHash === draft.base ||
          contentHash === getContentHash({ ...draft, template_id: known.template_id });
        const isOwn = draft.form !== undefined && known.touched_form === draft.form;
        if (draft.base !== undefined && !isOwn && !isSeen) {
          const { id, audience, narrowing, title, message, format, touched_by: by, touched_at: at } = known;
          const saved = { id, audience, narrowing, title, message, format, contentHash, by, at };
          return { ok: false, error: "changed", saved };
        }
        await trx.updateTable("campaigns").set(content).where("id", "=", known.id).execute();
        return { ok: true, id: known.id, isCopy: false };
      }
      const id = !known && draft.id && isUuid(draft.id) ? draft.id : newId();
      await trx
        .insertInto("campaigns")
        .values({
          id,
          state: "draft",
          ...content,
          template_id: draft.templateId ?? known?.template_id ?? null,
          created_by: by,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(content).where("campaigns.state", "=", "draft"),
        )
        .execute();
      return { ok: true, id, isCopy: known !== undefined };
    });
  }

  return {
    newDraftId: newId,
    saveDraft,

    /**
     * Creates a draft with the audience and the content of a campaign, whatever its status.
     * @returns the draft's id; undefined when there is no such campaign, or it is a draft itself.
     */
    async copyAsDraft(campaignId: string, createdBy: string): Promise<string | undefined> {
      const campaign = await findCampaign(database.read, campaignId);
      if (!campaign || campaign.state === "draft") return undefined;
      const content = toDraftContent(campaign);
      const saving = await saveDraft({ ...content, templateId: campaign.template_id, createdBy });
      return saving.ok ? saving.id : undefined;
    },

    /**
     * Copies a template into a draft, unless the draft has a text of its own. One that is as its template was copied
     * has none.
     */
    fillDraft(id: string, templateId: string, by: string): Promise<DraftStart> {
      return database.write(async (trx): Promise<DraftStart> => {
        const draft = await lockDraft(trx, id);
        if (!draft) return { ok: false, error: "draft-gone" };
        const template = await findTemplate(trx, templateId);
        if (!template) return { ok: false, error: "template-gone" };
        if (await hasOwnText(trx, draft)) return { ok: false, error: "has-text" };
        await trx.updateTable("campaigns").set(toContent(template, by)).where("id", "=", id).execute();
        return { ok: true };
      });
    },

    /**
     * Creates a draft from a template in the place of another one, with the audience, its narrowing and the test address of that one,
     * which is kept.
     * @param options.newDraft id of the new draft, so that a form sent twice creates one.
     */
    replaceDraft(
      id: string,
      { newDraft, templateId, by }: { newDraft: string; templateId: string; by: string },
    ): Promise<DraftStart> {
      return database.write(async (trx): Promise<DraftStart> => {
        const draft = await lockDraft(trx, id);
        if (!draft || !isUuid(newDraft)) return { ok: false, error: "draft-gone" };
        const template = await findTemplate(trx, templateId);
        if (!template) return { ok: false, error: "template-gone" };
        await trx
          .insertInto("campaigns")
          .values({
            id: newDraft,
            state: "draft",
            audience: draft.audience,
            narrowing: draft.narrowing,
            test_address: draft.test_address,
            ...toContent(template, by),
            created_by: by,
            created_at: clock(),
          })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute();
        return { ok: true };
      });
    },

    /** Hides a draft from every list until the sweep deletes it. @returns false when there is no such draft. */
    discardDraft: (id: string): Promise<boolean> => setDiscarded(id, clock()),

    /** Undoes discardDraft. @returns false when the draft was swept or confirmed. */
    restoreDraft: (id: string): Promise<boolean> => setDiscarded(id, null),
  };

  /**
   * Returns what a draft has of a template. `touched_form` names no form, so that an autosave under way is refused as another
   * form's.
   */
  function toContent({ id: template_id, title, message, format }: Template, by: string) {
    return { title, message, format, template_id, touched_at: clock(), touched_by: by, touched_form: "" };
  }

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

async function lockDraft(trx: Write, id: string): Promise<Campaign | undefined> {
  const campaign = await lockCampaign(trx, id);
  return campaign?.state === "draft" && !isDiscarded(campaign) ? campaign : undefined;
}

/** Returns whether somebody wrote a draft's text: it is neither empty nor the copy of its template. */
async function hasOwnText(trx: Write, { title, message, format, template_id }: Campaign): Promise<boolean> {
  if (title.trim() === "" && message.trim() === "") return false;
  const template = template_id ? await findTemplate(trx, template_id) : undefined;
  return !(template?.title === title && template.message === message && template.format === format);
}
