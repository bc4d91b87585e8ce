import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { AutomaticTextsTable } from "~/db/tables/automatic";
import { AUTOMATIC_RULES, type AutomaticRule } from "~/lib/automatic-rules";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import { IS_DUE } from "~/services/queue/leases.server";
import type { ServiceDeps } from "~/services/service-deps";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";

/** Emails that are skipped in one transaction at most. */
const CHUNK = 500;

/** What a rule's emails say. */
export type AutomaticContent = Pick<Selectable<AutomaticTextsTable>, "subject" | "message" | "format">;

/** A rule as it is in force. */
export interface AutomaticRuleView {
  readonly rule: AutomaticRule;
  readonly isOn: boolean;
  readonly content: AutomaticContent;
  /** Id of the text; empty until somebody saves a text or turns the rule on. */
  readonly textId: string;
  /** Who saved the text, and when; undefined where it is the one that the product comes with, stored or not. */
  readonly saved: { readonly by: string; readonly at: number } | undefined;
}

/** "changed": a colleague saved another text since this one was opened; nothing was saved. */
type Saving = { ok: true } | { ok: false; error: "changed"; current: AutomaticRuleView };

interface AutomaticRulesDeps extends ServiceDeps {
  /** What the emails say until somebody changes them. */
  readonly defaults: Readonly<Record<AutomaticRule, AutomaticContent>>;
}

/** Creates the operations on the rules: all are off until somebody turns them on. */
export function createAutomaticRules(deps: AutomaticRulesDeps) {
  const { database, clock, newId, defaults } = deps;
  const audit = createAudit(deps);

  async function list(read: Read = database.read): Promise<AutomaticRuleView[]> {
    const rows = await read
      .selectFrom("automatic_rules")
      .innerJoin("automatic_texts", "automatic_texts.id", "automatic_rules.text_id")
      .select(["automatic_rules.rule", "is_on", "text_id", "subject", "message", "format"])
      .select(["written_by", "written_at"])
      .execute();
    return AUTOMATIC_RULES.map((rule) => {
      const row = rows.find((one) => one.rule === rule);
      if (!row) return { rule, isOn: false, content: defaults[rule], textId: "", saved: undefined };
      const { subject, message, format } = row;
      const content = { subject, message, format };
      // Turning a rule on stores the product's text under the operator's name.
      const saved = isSame(content, defaults[rule]) ? undefined : { by: row.written_by, at: row.written_at };
      return { rule, isOn: row.is_on === 1, content, textId: row.text_id, saved };
    });
  }

  async function get(rule: AutomaticRule, read: Read = database.read): Promise<AutomaticRuleView> {
    const rules = await list(read);
    const found = rules.find((one) => one.rule === rule);
    if (!found) throw new Error(`There is no rule ${rule}`);
    return found;
  }

  async function write(trx: Write, rule: AutomaticRule, is_on: 0 | 1, text_id: string): Promise<void> {
    await trx.updateTable("automatic_rules").set({ is_on, text_id }).where("rule", "=", rule).execute();
  }

  /** Skips the emails of a rule that wait, unless it is on. Those in flight are sent. */
  async function skipWaiting(rule: AutomaticRule): Promise<void> {
    await sweepInChunks(database, CHUNK, async (trx) => {
      await lock(trx, rule);
      if ((await get(rule, trx)).isOn) return 0;
      const waiting = trx.selectFrom("transactional_emails").select("id").where("kind", "=", rule);
      const skipped = await trx
        .updateTable("transactional_emails")
        .set({ state: "skipped", detail: "rule-off", text_id: "", updated_at: clock() })
        .where("id", "in", waiting.where(IS_DUE).limit(CHUNK))
        // Again: PostgreSQL checks this, and not the subquery, once it has waited for a claim of the row.
        .where(IS_DUE)
        .returning("id")
        .execute();
      return skipped.length;
    });
  }

  async function getText(trx: Write, rule: AutomaticRule, id: string): Promise<AutomaticContent> {
    const text = trx.selectFrom("automatic_texts").select(["subject", "message", "format"]);
    return (await text.where("id", "=", id).executeTakeFirst()) ?? defaults[rule];
  }

  async function insertText(trx: Write, rule: AutomaticRule, content: AutomaticContent, by: string) {
    const id = newId();
    const { subject, message, format } = content;
    const text = { id, rule, subject, message, format, written_by: by, written_at: clock() };
    await trx.insertInto("automatic_texts").values(text).execute();
    return id;
  }

  return {
    /** Lists all rules, in their order. */
    list: () => list(),

    get: (rule: AutomaticRule) => get(rule),

    /**
     * Saves a rule's text, which every email has that is sent from now on.
     * @param base id of the text that the operator changed; empty where none was stored yet.
     */
    save(rule: AutomaticRule, content: AutomaticContent, base: string, actor: Actor): Promise<Saving> {
      return database.write(async (trx): Promise<Saving> => {
        await lock(trx, rule);
        const current = await get(rule, trx);
        if (isSame(current.content, content)) return { ok: true };
        // Compared by content: turning a rule on stores the text it comes with, and thereby changes the id.
        const opened = await getText(trx, rule, base);
        if (!isSame(current.content, opened)) return { ok: false, error: "changed", current };
        const id = await insertText(trx, rule, content, actor.by);
        await write(trx, rule, current.isOn ? 1 : 0, id);
        await audit(trx, actor, { action: "change-automatic-email", subject: rule });
        return { ok: true };
      });
    },

    /** Turns a rule on or off. What waits when it is turned off is skipped. */
    async turn(rule: AutomaticRule, isOn: boolean, actor: Actor): Promise<void> {
      // What was in flight when it was turned off may wait again, and is not sent either.
      if (isOn) await skipWaiting(rule);
      await database.write(async (trx) => {
        await lock(trx, rule);
        const current = await get(rule, trx);
        if (current.isOn === isOn) return;
        const textId = current.textId || (await insertText(trx, rule, current.content, actor.by));
        await write(trx, rule, isOn ? 1 : 0, textId);
        const action = isOn ? "turn-on-automatic-email" : "turn-off-automatic-email";
        await audit(trx, actor, { action, subject: rule });
      });
      // Not left to the claim: there is none while the daily allowance is used up or the mail server is away.
      if (!isOn) await skipWaiting(rule);
    },
  };
}

const isSame = (one: AutomaticContent, other: AutomaticContent): boolean =>
  one.subject === other.subject && one.message === other.message && one.format === other.format;

/** Locks a rule. Its row is written for that, so that of two first changes the second sees what the first one saved. */
async function lock(trx: Write, rule: AutomaticRule): Promise<void> {
  await trx
    .insertInto("automatic_rules")
    .values({ rule, is_on: 0, text_id: "" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx.selectFrom("automatic_rules").select("rule").where("rule", "=", rule).forUpdate().execute();
}
