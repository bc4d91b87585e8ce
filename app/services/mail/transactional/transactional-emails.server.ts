import { sql, type InsertObject, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import { emailKey } from "~/lib/email-address";
import { getErrorMessage } from "~/lib/error-message";
import { parseJson } from "~/lib/parse-json";
import { toDetail } from "~/services/queue/job-type";
import { createQueueWorker, type Lease } from "~/services/queue/queue.server";
import { sweepRows } from "~/services/sweep-in-chunks.server";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";
import { getSuppressionReason } from "~/services/suppressions/suppressions.server";
import { AUTOMATIC_WAIT_MS } from "../delivery/daily-allowance.server";
import { skipped, toResult, type DeliveryResult } from "../delivery/delivery-result";
import type { Email, SendOutcome } from "../mailer";
import type { EmailKind, TransactionalEmailRow } from "./email-kind";
import { createTransactionalJobs, TABLE } from "./transactional-jobs.server";
import type { ClaimedEmail, TransactionalSending } from "./transactional-jobs.server";

type Row = Selectable<TransactionalEmailsTable>;
type NewRow = InsertObject<Tables, typeof TABLE>;

const QUEUED = { state: "pending", lease_owner: "", lease_until: 0 } as const;
const IS_FINISHED = sql<boolean>`state in ('sent', 'failed', 'skipped', 'uncertain')`;

interface NewEmail<Data> {
  /** As typed. */
  readonly address: string;
  readonly data: Data;
}

interface SendOptions {
  readonly compose: (messageId: string) => Email;
  /** Time it may run ahead of the rate limit; left out: any. Background sending slows down to compensate. */
  readonly maxAheadMs?: number;
}

/**
 * - known: there is an email of the same kind with the same key already; nothing was sent.
 * - rate-limited: nothing was sent; the rate allows it in `waitMs`.
 */
export type Attempt<Data> =
  | { readonly kind: "attempted"; readonly messageId: string; readonly outcome: SendOutcome }
  | { readonly kind: "known"; readonly email: TransactionalEmailRow<Data> }
  | { readonly kind: "suppressed"; readonly reason: SuppressionReason }
  | { readonly kind: "rate-limited"; readonly waitMs: number };

export type TransactionalEmails = ReturnType<typeof createTransactionalEmails>;

/** Creates the one queue of all emails that are no delivery of a campaign. */
export function createTransactionalEmails(options: TransactionalSending) {
  const { database, clock, newId, kinds, mailDomain, mailer, rate, allowance } = options;
  const jobs = createTransactionalJobs(options);
  const worker = createQueueWorker("the transactional emails", jobs, options);

  return {
    /** Sends queued emails, and recovers every email that was in flight at a crash. */
    worker,

    /**
     * Queues an email in the caller's transaction, which then wakes the worker.
     * @param email.notBefore time of the first attempt, in epoch milliseconds; left out: now.
     * @returns false when there is one with its key already, which stays as it is.
     */
    async add<Data>(
      trx: Write,
      kind: EmailKind<Data>,
      { notBefore = 0, ...email }: NewEmail<Data> & { notBefore?: number },
    ): Promise<boolean> {
      const row = await insert(trx, kind, email, { ...QUEUED, not_before: notBefore });
      return row !== undefined;
    },

    /** Finds the email with the key of this data, and locks it until the transaction ends. */
    find,

    /**
     * Sends an email at once, with one attempt, beyond the daily allowance, and as far ahead of the rate limit as `maxAheadMs`
     * allows. It counts towards both, whatever its class.
     * Resolves once its end is recorded.
     * @throws what `compose` throws, and the mailer for an email that breaks its contract; its key is free then.
     */
    async send<Data>(
      kind: EmailKind<Data>,
      email: NewEmail<Data>,
      sending: SendOptions,
    ): Promise<Attempt<Data>> {
      let attempt: Attempt<Data> | undefined;
      let failure: { readonly cause: unknown } | undefined;
      await worker.deliverNow(
        async (trx, lease) => {
          const admission = await admit(trx, kind, email, { lease, maxAheadMs: sending.maxAheadMs });
          if ("claimed" in admission) return { ...admission.claimed, suppression: null };
          attempt = admission;
          return undefined;
        },
        async (row) => {
          try {
            const outcome = await mailer.send(sending.compose(row.message_id));
            attempt = { kind: "attempted", messageId: row.message_id, outcome };
            return toOnlyResult(row, outcome, clock());
          } catch (cause) {
            failure = { cause };
            return { state: "skipped", detail: toDetail(getErrorMessage(cause)), isUntried: true };
          }
        },
      );
      if (failure) throw failure.cause;
      if (!attempt) throw new Error("The email has no outcome");
      return attempt;
    },

    /** Deletes the finished emails whose retention is over. */
    async sweep(): Promise<void> {
      for (const { name, retentionMs } of kinds) {
        const isOver = sql<boolean>`
          kind = ${name} and created_at <= ${clock() - retentionMs} and ${IS_FINISHED}
        `;
        await sweepRows(database, { table: TABLE, key: "id" }, isOver);
      }
    },
  };

  /** Inserts an email as claimed, if it may be sent at once. */
  async function admit<Data>(
    trx: Write,
    kind: EmailKind<Data>,
    email: NewEmail<Data>,
    terms: { readonly lease: Lease; readonly maxAheadMs: number | undefined },
  ): Promise<{ readonly claimed: Row } | Exclude<Attempt<Data>, { kind: "attempted" }>> {
    const claimed = await insert(trx, kind, email, terms.lease);
    if (!claimed) {
      const known = await find(trx, kind, email.data);
      if (!known) throw new Error("the insert has locked the email that has this key");
      return { kind: "known", email: known };
    }
    const reason = await getSuppressionReason({ read: trx }, email.address);
    if (reason && !kind.ignores?.includes(reason)) {
      const end = skipped("suppressed");
      await skip(trx, claimed, end.detail);
      await kind.recordEnd?.(trx, { ...claimed, data: email.data }, end);
      return { kind: "suppressed", reason };
    }
    const waitMs = rate.waitMs(clock());
    if (terms.maxAheadMs !== undefined && waitMs > terms.maxAheadMs) {
      await skip(trx, claimed, "rate-limited");
      return { kind: "rate-limited", waitMs };
    }
    // At once, so that concurrent calls see it; a rerun of the transaction takes another token.
    rate.consume(1);
    await allowance.consume(trx, 1, clock());
    return { claimed };
  }

  async function skip(trx: Write, { id }: Pick<Row, "id">, detail: string): Promise<void> {
    await trx
      .updateTable(TABLE)
      .set({ state: "skipped", detail, lease_owner: "", lease_until: 0 })
      .where("id", "=", id)
      .execute();
  }

  async function find<Data>(
    trx: Write,
    kind: EmailKind<Data>,
    data: Data,
  ): Promise<TransactionalEmailRow<Data> | undefined> {
    const key = kind.getKey(data);
    if (key === undefined) return undefined;
    const row = await trx
      .selectFrom(TABLE)
      .selectAll()
      .where("kind", "=", kind.name)
      .where("unique_key", "=", key)
      .forUpdate()
      .executeTakeFirst();
    return row && { ...row, data: kind.data.parse(parseJson(row.data)) };
  }

  /**
   * Inserts an email, in the place of one whose key is free. One that was certainly not sent keeps its id and its
   * Message-ID: should the mail server have it after all, a recipient's program recognizes the second one.
   * @returns undefined when its key is not free.
   */
  function insert<Data>(
    trx: Write,
    kind: EmailKind<Data>,
    { address, data }: NewEmail<Data>,
    state: Pick<NewRow, "state" | "lease_owner" | "lease_until"> & { readonly not_before?: number },
  ): Promise<Row | undefined> {
    const id = newId();
    const now = clock();
    const row = {
      id,
      kind: kind.name,
      unique_key: kind.getKey(data) ?? id,
      data: JSON.stringify(data),
      address,
      email_key: emailKey(address),
      message_id: `<${id}@${mailDomain}>`,
      detail: "",
      attempts: 0,
      resent_after_crash: 0,
      not_before: 0,
      created_at: now,
      updated_at: now,
      allowance_class: kind.allowanceClass,
      late_at:
        kind.allowanceClass === "automatic" ? Math.max(now, state.not_before ?? 0) + AUTOMATIC_WAIT_MS : null,
      ...state,
    } as const;
    const isKeyFree = sql<boolean>`transactional_emails.state = 'skipped'
      or (transactional_emails.state in ('sent', 'failed', 'uncertain')
        and transactional_emails.created_at <= ${now - kind.retentionMs})`;
    const keepIfSkipped = (column: "id" | "message_id") =>
      sql<string>`case when transactional_emails.state = 'skipped'
        then ${sql.ref(`${TABLE}.${column}`)} else ${sql.ref(`excluded.${column}`)} end`;
    return trx
      .insertInto(TABLE)
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["kind", "unique_key"])
          .doUpdateSet({ ...row, id: keepIfSkipped("id"), message_id: keepIfSkipped("message_id") })
          .where(isKeyFree),
      )
      .returningAll()
      .executeTakeFirst();
  }
}

/** Converts the outcome of an email's only attempt: what another one might send is skipped, which frees its key. */
function toOnlyResult(row: ClaimedEmail, outcome: SendOutcome, now: number): DeliveryResult {
  const result = toResult(row, outcome, now);
  if (result.state !== "retrying" && result.state !== "pending") return result;
  return { ...result, state: "skipped", detail: toDetail(outcome.detail) };
}
