import type { Write } from "~/db/database.server";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { findPerson } from "~/services/people/person-rows.server";
import type { ServiceDeps } from "~/services/service-deps";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import type { WaveEmailKind } from "./wave-email.server";

/** "not-invited": nobody invited them, or their wave is not sent yet. "stale": a colleague sent a new link meanwhile. */
export type InvitationProblem = "unknown" | "not-invited" | "joined" | "suppressed" | "stale";
type Outcome = { ok: true } | { ok: false; error: InvitationProblem };

interface PersonInvitationsDeps extends ServiceDeps {
  readonly emails: Pick<TransactionalEmails, "add">;
  readonly kind: WaveEmailKind;
  /** Wakes the queue of the emails. */
  readonly wake: () => void;
}

/** Creates what operators do with the invitation of one person. */
export function createPersonInvitations(deps: PersonInvitationsDeps) {
  const { database, clock, emails, kind, wake } = deps;
  const audit = createAudit(deps);

  return {
    /** Ends the link of a person's invitation; another one can be sent. A second call changes nothing. */
    revoke(personId: string, actor: Actor): Promise<Outcome> {
      return database.write(async (trx): Promise<Outcome> => {
        const found = await lockInvited(trx, personId);
        if (!found.ok) return found;
        const { invitation, person } = found;
        if (invitation.revoked_at !== null) return { ok: true };
        await trx
          .updateTable("wave_invitations")
          .set({ revoked_at: clock() })
          .where("id", "=", invitation.id)
          .execute();
        await audit(trx, actor, { action: "revoke-wave-invitation", subject: person.email });
        return { ok: true };
      });
    },

    /**
     * Sends the text of their wave again with a new link, which ends the one before.
     * @param issue number of the link that the operator was shown: a form sent twice sends one email.
     */
    async resend(personId: string, issue: number, actor: Actor): Promise<Outcome> {
      const outcome = await database.write(async (trx): Promise<Outcome> => {
        const found = await lockInvited(trx, personId);
        if (!found.ok) return found;
        const { invitation, person } = found;
        if (invitation.issue !== issue) return { ok: false, error: "stale" };
        if (await isSuppressed({ read: trx }, person.email)) return { ok: false, error: "suppressed" };
        const now = clock();
        const next = issue + 1;
        await trx
          .updateTable("wave_invitations")
          .set({
            issue: next,
            revoked_at: null,
            asked_at: null,
            opened_at: null,
            // Its days count from now, and anew once its email is accepted (recordEnd in wave-email.server.ts).
            invited_at: now,
          })
          .where("id", "=", invitation.id)
          .execute();
        const data = { invitation: invitation.id, issue: next };
        await emails.add(trx, kind, { address: person.email, data });
        await audit(trx, actor, { action: "resend-wave-invitation", subject: person.email });
        return { ok: true };
      });
      if (outcome.ok) wake();
      return outcome;
    },
  };
}

/** Locks the invitation of a person who was invited and did not join. */
async function lockInvited(trx: Write, personId: string) {
  const person = await findPerson(trx, personId);
  if (!person) return { ok: false, error: "unknown" } as const;
  const invitation = await trx
    .selectFrom("wave_invitations")
    .select(["id", "state", "issue", "revoked_at"])
    .where("person_id", "=", person.id)
    .forUpdate()
    .executeTakeFirst();
  if (!invitation || invitation.state === "reserved") return { ok: false, error: "not-invited" } as const;
  if (invitation.state === "joined") return { ok: false, error: "joined" } as const;
  return { ok: true, person, invitation } as const;
}
