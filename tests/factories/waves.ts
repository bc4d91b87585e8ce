import type { Insertable } from "kysely";
import type { Database } from "~/db/database.server";
import type { WaveInvitationsTable } from "~/db/tables/waves";
import { newId } from "~/services/service-deps";
import { createInviteLinks, type InviteSettings } from "~/services/waves/invite-links.server";
import { createInviteTokens } from "~/services/waves/invite-tokens.server";
import { createJoins } from "~/services/waves/joins.server";
import { createPersonInvitations } from "~/services/waves/person-invitations.server";
import { createWaveResendKind } from "~/services/waves/wave-email.server";
import { ScriptedMailer } from "../fakes/scripted-mailer";
import type { TestClock } from "./time";
import { createTestEmails, sender } from "./transactional-emails";

/** Stores an invitation of a person; by default one whose email was accepted. */
export async function storeInvitation(
  database: Database,
  invitation: Partial<Insertable<WaveInvitationsTable>> & { person_id: string },
) {
  const row = { id: newId(), campaign_id: newId(), state: "invited" as const, reserved_at: 1, ...invitation };
  await database.write((trx) => trx.insertInto("wave_invitations").values(row).execute());
  return row;
}

/** Lists all invitations in the order of their people. */
export const listInvitations = (database: Database) =>
  database.read.selectFrom("wave_invitations").selectAll().orderBy("person_id").execute();

const INVITE_URL = "https://app.example.com/join?code={code}";

/** Creates what invitations are used with, on a database and a clock the test moves; INVITE_URL alone is set. */
export function createTestWaves(
  database: Database,
  clock: TestClock,
  {
    settings,
    mailer = new ScriptedMailer(),
  }: { settings?: Partial<InviteSettings>; mailer?: ScriptedMailer } = {},
) {
  const tokens = createInviteTokens("a secret of the tests");
  const deps = {
    database,
    clock,
    newId,
    tokens,
    settings: { url: INVITE_URL, days: 0, isBound: false, ...settings },
  };
  const kind = createWaveResendKind({
    database,
    clock,
    sender,
    compose:
      ({ title, message }) =>
      (delivery) => ({
        messageId: delivery.messageId,
        from: delivery.sender,
        to: { name: delivery.recipient.name, address: delivery.recipient.address },
        subject: title,
        text: `${message} ${delivery.unsubscribeUrl} ${delivery.inviteUrl}`,
        html: "",
        headers: {},
      }),
    unsubscribeUrl: (id) => `https://example.com/unsubscribe/${id}`,
    inviteUrl: (link) => `https://example.com/i/${tokens.createToken(link)}`,
  });
  const emails = createTestEmails(database, clock, { mailer, kinds: [kind] });
  const ofPeople = createPersonInvitations({ ...deps, emails, kind, wake: () => undefined });

  /** Returns the code of the newest link of a person. */
  async function getCode(address: string): Promise<string> {
    const { id, issue } = await database.read
      .selectFrom("wave_invitations")
      .innerJoin("people", "people.id", "person_id")
      .select(["wave_invitations.id", "issue"])
      .where("email_key", "=", address)
      .executeTakeFirstOrThrow();
    return tokens.createToken({ id, issue });
  }

  return { mailer, emails, links: createInviteLinks(deps), joins: createJoins(deps), ofPeople, getCode };
}

/** Returns the invitation of each person who has one, by their address. */
export async function getInvitations(database: Database) {
  const rows = await database.read
    .selectFrom("wave_invitations")
    .innerJoin("people", "people.id", "person_id")
    .selectAll("wave_invitations")
    .select(["people.email", "people.confirmed_at"])
    .execute();
  return Object.fromEntries(rows.map((row) => [row.email, row]));
}

/** Returns the state of each person's invitation by their address. */
export async function getInvitationStates(database: Database): Promise<Record<string, string>> {
  const rows = await getInvitations(database);
  return Object.fromEntries(Object.entries(rows).map(([address, { state }]) => [address, state]));
}
