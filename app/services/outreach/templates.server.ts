import { sql, type Selectable } from "kysely";
import { createHash } from "node:crypto";
import type { Read, Write } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { CampaignTemplatesTable } from "~/db/tables/outreach";
import { minutes } from "~/lib/durations";
import type { SubmissionKind } from "~/lib/form-fields";
import { isUuid } from "~/lib/uuid";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { sweepRows } from "~/services/sweep-in-chunks.server";
import { TEMPLATES_BY_NAME, type TemplateOrder } from "./template-sorts";

/** Templates at a time, without those that are deleted. */
export const MAX_TEMPLATES = 200;
/** Time within which a deletion can be undone. */
const UNDO_MS = minutes(10);

export type Template = Selectable<CampaignTemplatesTable>;
export type TemplateContent = Pick<Template, "name" | "title" | "message" | "format">;

/** The audiences whose default a template becomes (`set`) and ceases to be (`clear`); others stay as they are. */
export interface DefaultChanges {
  readonly set: readonly SubmissionKind[];
  readonly clear: readonly SubmissionKind[];
}

/** The version of a template that another form saved. */
export interface SavedTemplate extends TemplateContent {
  /** See getTemplateHash. */
  readonly contentHash: string;
  readonly by: string;
  readonly at: number;
}

/** "name-taken": another template has the name, in whatever case. "too-many": there are MAX_TEMPLATES. */
type TemplateProblem = "name-taken" | "too-many";

type TemplateCreation = { ok: true; id: string } | { ok: false; error: TemplateProblem };

/** "gone": deleted, or never there. "changed": another form saved different content since this one was loaded. */
type TemplateChange =
  | { ok: true }
  | { ok: false; error: "gone" | "name-taken" }
  | { ok: false; error: "changed"; saved: SavedTemplate };

/** "over": the ten minutes have passed, or somebody has restored it. */
type TemplateRestoring = { ok: true } | { ok: false; error: TemplateProblem | "over" };

export type ListedTemplate = Awaited<ReturnType<ReturnType<typeof createTemplates>["list"]>>[number];

/** Returns the hex SHA-256 of a template's content, which a form carries and the audit has. */
export function getTemplateHash({ name, title, message, format }: TemplateContent): string {
  return createHash("sha256")
    .update(JSON.stringify([name, title, message, format]))
    .digest("hex");
}

/** Finds a template that is not deleted. */
export async function findTemplate(read: Read, id: string): Promise<Template | undefined> {
  if (!isUuid(id)) return undefined;
  return selectTemplates(read).selectAll().where("id", "=", id).executeTakeFirst();
}

const selectTemplates = (read: Read) => read.selectFrom("campaign_templates").where("deleted_at", "is", null);

const KEYS = {
  name: sql<string>`name_key`,
  used: sql<number>`used`,
  changed: sql<number>`changed_at`,
};

/** Creates the operations on the templates of campaigns. Templates are few: all of them are one list. */
export function createTemplates(deps: ServiceDeps) {
  const { database, clock, newId } = deps;
  const { read } = database;
  const audit = createAudit(deps);
  /** A deletion after this time can be undone. */
  const getUndoStart = () => clock() - UNDO_MS;

  return {
    /** Lists all templates, with the audiences they are the default of and the number of campaigns confirmed with each. */
    async list({ sort, direction }: TemplateOrder = TEMPLATES_BY_NAME) {
      const [rows, defaults] = await Promise.all([
        selectTemplates(read)
          .select(["id", "name", "format", "changed_by", "changed_at"])
          .select(({ selectFrom, fn }) =>
            selectFrom("campaigns")
              .select(fn.countAll<number>().as("count"))
              .whereRef("campaigns.template_id", "=", "campaign_templates.id")
              // Literal, not bound: SQLite uses the partial index only then.
              .where(sql<boolean>`template_id is not null and state <> 'draft'`)
              .$asScalar()
              .$notNull()
              .as("used"),
          )
          .orderBy(KEYS[sort], direction)
          .orderBy("id", direction)
          .execute(),
        listDefaults(),
      ]);
      return rows.map((row) => ({
        ...row,
        defaultOf: defaults.filter(({ id }) => id === row.id).map(({ audience }) => audience),
      }));
    },

    /** Returns a template that is not deleted. */
    find: (id: string) => findTemplate(read, id),

    /** Lists the audiences that have a default, with its name. */
    listDefaults,

    /**
     * Creates a template. One with the same name and content is returned instead, so that a form sent twice creates one.
     * @param audiences whose default it becomes.
     */
    async create(
      content: TemplateContent,
      actor: Actor,
      audiences: readonly SubmissionKind[] = [],
    ): Promise<TemplateCreation> {
      return database.write(async (trx): Promise<TemplateCreation> => {
        await lockTemplates(trx);
        const namesake = await findNamesake(trx, content.name);
        if (namesake && getTemplateHash(namesake) === getTemplateHash(content)) {
          await changeDefaults(trx, namesake, { set: audiences, clear: [] }, actor);
          return { ok: true, id: namesake.id };
        }
        if (namesake) return { ok: false, error: "name-taken" };
        if ((await countRows(selectTemplates(trx))) >= MAX_TEMPLATES) return { ok: false, error: "too-many" };
        const id = newId();
        const now = clock();
        const { name, title, message, format } = content;
        const by = actor.by;
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto("campaign_templates")
          .values({
            id,
            name,
            name_key: toNameKey(name),
            title,
            message,
            format,
            created_by: by,
            created_at: now,
            changed_by: by,
            changed_at: now,
          })
          // Without a template there was nothing to lock: the unique name decides between two that are created at once.
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return { ok: false, error: "name-taken" };
        await audit(trx, actor, {
          action: "save-template",
          subject: name,
          contentHash: getTemplateHash(content),
        });
        await changeDefaults(trx, { id, name }, { set: audiences, clear: [] }, actor);
        return { ok: true, id };
      });
    },

    /**
     * Changes a template, and no draft that was started from it.
     * @param base hash of the content the form was loaded with (getTemplateHash). Refuses to overwrite different
     * content that another form saved since.
     */
    async change(
      id: string,
      content: TemplateContent,
      { base, defaults }: { base: string; defaults: DefaultChanges },
      actor: Actor,
    ): Promise<TemplateChange> {
      return database.write(async (trx): Promise<TemplateChange> => {
        await lockTemplates(trx);
        const known = await findTemplate(trx, id);
        if (!known) return { ok: false, error: "gone" };
        const savedHash = getTemplateHash(known);
        const newHash = getTemplateHash(content);
        if (savedHash !== base && savedHash !== newHash) {
          const { name, title, message, format, changed_by: by, changed_at: at } = known;
          return {
            ok: false,
            error: "changed",
            saved: { name, title, message, format, contentHash: savedHash, by, at },
          };
        }
        const namesake = await findNamesake(trx, content.name);
        if (namesake && namesake.id !== id) return { ok: false, error: "name-taken" };
        const { name, title, message, format } = content;
        if (newHash !== savedHash) {
          const changed = { changed_by: actor.by, changed_at: clock() };
          await trx
            .updateTable("campaign_templates")
            .set({ name, name_key: toNameKey(name), title, message, format, ...changed })
            .where("id", "=", id)
            .execute();
          await audit(trx, actor, { action: "change-template", subject: name, contentHash: newHash });
        }
        await changeDefaults(trx, { id, name }, defaults, actor);
        return { ok: true };
      });
    },

    /**
     * Deletes a template; drafts and campaigns keep their text. Its rows of `campaign_template_defaults` stay for `restore`, and
     * go with it in `sweep`.
     * @returns false when there is no such template.
     */
    async remove(id: string, actor: Actor): Promise<boolean> {
      return database.write(async (trx) => {
        await lockTemplates(trx);
        const known = await findTemplate(trx, id);
        if (!known) return false;
        await trx
          .updateTable("campaign_templates")
          .set({ deleted_by: actor.by, deleted_at: clock() })
          .where("id", "=", id)
          .execute();
        await audit(trx, actor, { action: "delete-template", subject: known.name });
        return true;
      });
    },

    /** Undoes `remove` for ten minutes. It is the default of its audiences again, unless they have another one. */
    async restore(id: string, actor: Actor): Promise<TemplateRestoring> {
      if (!isUuid(id)) return { ok: false, error: "over" };
      return database.write(async (trx): Promise<TemplateRestoring> => {
        await lockTemplates(trx);
        const deleted = await trx
          .selectFrom("campaign_templates")
          .select("name")
          .where("id", "=", id)
          .where("deleted_at", ">", getUndoStart())
          .forUpdate()
          .executeTakeFirst();
        if (!deleted) return { ok: false, error: "over" };
        if (await findNamesake(trx, deleted.name)) return { ok: false, error: "name-taken" };
        if ((await countRows(selectTemplates(trx))) >= MAX_TEMPLATES) return { ok: false, error: "too-many" };
        await trx
          .updateTable("campaign_templates")
          .set({ deleted_by: "", deleted_at: null })
          .where("id", "=", id)
          .execute();
        await audit(trx, actor, { action: "restore-template", subject: deleted.name });
        return { ok: true };
      });
    },

    /** Lists the templates whose deletion can be undone, latest first. */
    listDeleted: () =>
      read
        .selectFrom("campaign_templates")
        .select(["id", "name", "deleted_by", "deleted_at"])
        .where("deleted_at", ">", getUndoStart())
        .$narrowType<{ deleted_at: number }>()
        .orderBy("deleted_at", "desc")
        .execute(),

    /** Removes for good what can no longer be restored. */
    sweep: () =>
      sweepRows(
        database,
        { table: "campaign_templates", key: "id" },
        sql<boolean>`deleted_at <= ${getUndoStart()}`,
      ),
  };

  function listDefaults() {
    return read
      .selectFrom("campaign_template_defaults as defaults")
      .innerJoin("campaign_templates", "campaign_templates.id", "defaults.template_id")
      .select(["audience", "campaign_templates.id", "name"])
      .where("deleted_at", "is", null)
      .orderBy("audience")
      .execute();
  }

  /** Makes a template the default of the audiences in `set`, in the place of theirs, and no longer that of those in `clear`. */
  async function changeDefaults(
    trx: Write,
    { id, name }: Pick<Template, "id" | "name">,
    { set, clear }: DefaultChanges,
    actor: Actor,
  ): Promise<void> {
    const rows = await trx
      .selectFrom("campaign_template_defaults")
      .select("audience")
      .where("template_id", "=", id)
      .execute();
    const isDefault = (audience: SubmissionKind) => rows.some((row) => row.audience === audience);
    for (const audience of set.filter((audience) => !isDefault(audience))) {
      await trx
        .insertInto("campaign_template_defaults")
        .values({ audience, template_id: id })
        .onConflict((conflict) => conflict.column("audience").doUpdateSet({ template_id: id }))
        .execute();
      await audit(trx, actor, { action: "set-default-template", subject: `${name} for ${audience}` });
    }
    for (const audience of clear.filter(isDefault)) {
      await trx
        .deleteFrom("campaign_template_defaults")
        .where("audience", "=", audience)
        .where("template_id", "=", id)
        .execute();
      await audit(trx, actor, { action: "clear-default-template", subject: `${name} for ${audience}` });
    }
  }
}

/** Locks all templates until the transaction ends, so that of two changes the second sees the names of the first. */
async function lockTemplates(trx: Write): Promise<void> {
  await selectTemplates(trx).select("id").orderBy("id").forUpdate().execute();
}

function findNamesake(trx: Write, name: string): Promise<Template | undefined> {
  return selectTemplates(trx).selectAll().where("name_key", "=", toNameKey(name)).executeTakeFirst();
}

const toNameKey = (name: string) => name.toLowerCase();
