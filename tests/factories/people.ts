import { sql } from "kysely";
import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import { composePersonData } from "~/services/composition/person-data.server";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import type { SendOutcome } from "~/services/mail/mailer";
import { createOutbox } from "~/services/mail/outbox.server";
import { createPeople } from "~/services/people/people.server";
import { newId } from "~/services/service-deps";
import { accepted, type Script } from "../fakes/scripted-mailer";
import { createEmail } from "./email";
import { operator, createTestOutreach } from "./outreach";
import { storeSubmissions, createTestSubmissions } from "./submissions";
import { createTestClock } from "./time";

export const ADA = "Ada@Example.com";
export const KEY = "ada@example.com";
export const NAME = "Ada Byron";

/** Says that everybody has their row and document, as it is some minutes after an update. */
export const finishPeopleFill = (database: Database) =>
  database.write((trx) => trx.updateTable("people_fill").set({ finished_at: 1 }).execute());

/** Lists what is held about a person, with an outbox that never kept an email. */
export const createPersonData = (database: Database) =>
  composePersonData(createOutbox({ database, folder: "/no-outbox" }));

/** Creates people with data in every table, on a database and with an outbox in a folder. */
export function createTestPeople(database: Database, folder: string) {
  const clock = createTestClock();
  const peopleOn = (on = database) =>
    createPeople({
      database: on,
      personData: composePersonData(createOutbox({ database: on, folder })),
      clock,
      newId,
    });

  /** Lists the tables that hold one of the words in any column, ignoring case. */
  async function listTablesNaming(...words: string[]): Promise<string[]> {
    const named: string[] = [];
    for (const { name } of await database.read.introspection.getTables()) {
      // The tables of FTS5 index the documents.
      if (/^(search|submission|people)_index/.test(name)) continue;
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(database.read);
      const text = JSON.stringify(rows).toLowerCase();
      if (words.some((word) => text.includes(word.toLowerCase()))) named.push(name);
    }
    return named.toSorted();
  }

  /**
   * Stores Ada through every form, in every state and with all data there can be about a person, and Grace
   * beside her; and sends them emails.
   */
  async function storeEverything() {
    const forms = await storeSubmissions(database, [
      { email: ADA, company: "Engines", role: "developer" },
      { email: "ADA@example.com", kind: "contact-form", inquiry_type: "general", message: "May I see it?" },
      { email: KEY, kind: "updates-signup", state: "unconfirmed" },
      { email: KEY, state: "quarantined", quarantine_reason: "honeypot" },
      { email: KEY, kind: "contact-form", message: "Again" },
      { email: "grace@example.com", name: "Grace Hopper" },
    ]);
    const [first, , , , again] = forms as [string, string, string, string, string];
    await database.write(async (trx) => {
      const fingerprint = { fingerprint: "f".repeat(64), submission_id: first, seen_at: 5 };
      await trx.insertInto("submission_fingerprints").values(fingerprint).execute();
      const confirmation = {
        id: newId(),
        address: KEY,
        email_key: KEY,
        requested_at: 5,
      };
      await trx.insertInto("confirmations").values(confirmation).execute();
      const { id, requested_at } = confirmation;
      const emailId = newId();
      const email = {
        id: emailId,
        kind: "confirmation",
        unique_key: `${id}.${requested_at}`,
        data: JSON.stringify({ id, requested_at }),
        address: KEY,
        email_key: KEY,
        message_id: `<${emailId}@frontdesk.test>`,
        state: "sent",
        detail: `250 ok ${KEY}`,
        attempts: 1,
        not_before: 0,
        lease_owner: "",
        lease_until: 0,
        created_at: 5,
        updated_at: 6,
      } as const;
      await trx.insertInto("transactional_emails").values(email).execute();
      const attempts = { key: `form-to:${KEY}`, count: 2, resets_at: 9 };
      await trx.insertInto("attempts").values(attempts).execute();
    });
    await createTestSubmissions(database).deletions.delete({ kind: "contact-form", ids: [again] }, operator);
    return { forms, first, ...(await sendEmails()) };
  }

  /** Sends four emails to both: one accepted, one retrying, one uncertain, one refused for Ada. */
  async function sendEmails() {
    const outcomes: Record<string, (address: string) => SendOutcome> = {
      arrives: (address) => ({ kind: "accepted", detail: `250 accepted for ${address}` }),
      waits: (address) => ({ kind: "deferred", code: 451, detail: `451 later, ${address}` }),
      lost: () => accepted,
      refused: (address) =>
        address === ADA
          ? { kind: "refused", code: 550, detail: `550 no such user ${address}`, part: "recipient" }
          : accepted,
    };
    const script: Script = ({ subject, to }) => outcomes[subject]?.(to.address) ?? accepted;
    const outreach = createTestOutreach(database, script);
    const campaigns: string[] = [];
    for (const title of Object.keys(outcomes)) {
      campaigns.push(await outreach.confirmed({ title }));
      await outreach.campaignWorker().tick();
    }
    // The state after a crash.
    await database.write((trx) => {
      const uncertain = trx.updateTable("deliveries").set({ state: "uncertain" });
      return uncertain.where("campaign_id", "=", campaigns[2]!).execute();
    });
    await recordReports(campaigns[0]!);
    return { campaigns, getStats: outreach.getStats };
  }

  /** Records a provider's reports about the first email. */
  async function recordReports(campaign_id: string) {
    const { id } = await getDelivery(campaign_id);
    const bounces = [
      {
        id: "1",
        type: "bounce",
        permanent: 0,
        address: "forwarded@example.org",
        reason: `of ${KEY}`,
        campaign_id,
        delivery_id: id,
        happened_at: 5,
        received_at: 6,
      },
      {
        id: "2",
        type: "complaint",
        permanent: 1,
        address: ADA,
        reason: "spam",
        campaign_id: null,
        delivery_id: null,
        happened_at: 7,
        received_at: 8,
      },
    ] as const;
    await database.write((trx) => trx.insertInto("bounces").values(bounces).execute());
  }

  const getDelivery = (campaignId: string) => {
    const ofAda = database.read.selectFrom("deliveries").selectAll().where("email_key", "=", KEY);
    return ofAda.where("campaign_id", "=", campaignId).executeTakeFirstOrThrow();
  };

  async function fillOutbox() {
    const mailer = new OutboxMailer({ folder, rows: createOutbox({ database, folder }), newId, now: clock });
    for (const address of [ADA, "grace@example.com"]) {
      const outcome = await mailer.send(createEmail({ to: { name: NAME, address }, subject: "Hello" }));
      expect(outcome.kind).toBe("accepted");
    }
    return () => database.read.selectFrom("outbox_emails").select(["to_address", "file"]).execute();
  }

  return { clock, peopleOn, listTablesNaming, storeEverything, getDelivery, fillOutbox };
}
