import type { Read } from "~/db/database.server";
import type { WaveInvitationState } from "~/db/tables/waves";
import { days, minutes } from "~/lib/durations";
import { getNetwork } from "~/lib/network-address";
import { consumeLinkAttempt, type ThrottledLink } from "~/services/attempts/link-attempts.server";
import { createAudit, type Caller } from "~/services/audit/audit.server";
import { recordInPassing } from "~/services/record-in-passing.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { InviteTokens } from "./invite-tokens.server";
import { createOpeningBursts } from "./opening-bursts";

export interface InviteSettings {
  /** Sign-up page of the application, with `{code}` in it. */
  readonly url: string;
  /** Days after which an invitation expires; 0: never. */
  readonly days: number;
  /** Whether an invitation is good for its own address only. */
  readonly isBound: boolean;
}

/**
 * The state of a link or a code. "revoked": an operator ended it, or sent a new one. "unknown" includes the link of
 * somebody who was erased, or whose wave was cancelled before its email was sent.
 */
export type InviteState = "valid" | "unknown" | "revoked" | "expired" | "joined";

/** What a program is told about a code. */
export interface Verification {
  readonly state: InviteState;
  /** Of the invited person; undefined for an unknown code. */
  readonly invited?:
    | {
        readonly email: string;
        readonly name: string;
        readonly wave: number | null;
        readonly expiresAt: number | null;
      }
    | undefined;
}

/** In the place of a code in test emails and previews: the link leads to a page that says so. */
export const TEST_CODE = "test";

/** Time after the acceptance of an email in which scanners open its links. */
const SCANNED_MS = minutes(1);

interface InviteLinksDeps extends ServiceDeps {
  readonly tokens: InviteTokens;
  readonly settings: InviteSettings;
}

/** Creates the operations of the links in emails of waves, by the code in their URL. */
export function createInviteLinks(deps: InviteLinksDeps) {
  const { database, clock, tokens, settings } = deps;
  const bursts = createOpeningBursts();

  return {
    /**
     * Returns where a link leads, and uses nothing up: mail scanners open links. What looks like a person's click is
     * noted as a hint, which decides nothing; a slow write is not waited for.
     * @param isNavigation whether a browser says that somebody navigates to it.
     * @returns the URL of the application's page; or why there is none.
     */
    async open(
      code: string,
      { address, isNavigation }: { readonly address: string; readonly isNavigation: boolean },
    ): Promise<{ url: string } | { state: Exclude<InviteState, "valid"> }> {
      const found = await findByCode(database.read, tokens, code);
      if (!found) return { state: "unknown" };
      const state = getInviteState(found, settings, clock());
      if (state !== "valid") return { state };
      await recordInPassing(noteOpening(found, { network: getNetwork(address), isNavigation }));
      return { url: settings.url.replaceAll("{code}", encodeURIComponent(code)) };
    },

    /** Returns what a program is told about a code; changes nothing. */
    async verify(code: string): Promise<Verification> {
      const found = await findByCode(database.read, tokens, code);
      const state = getInviteState(found, settings, clock());
      if (!found) return { state };
      const { email, name, wave } = found;
      return { state, invited: { email, name, wave, expiresAt: getExpiry(found, settings) ?? null } };
    },

    /** Notes that a person wants a new link in the place of their expired one. */
    async ask(code: string, caller: Caller): Promise<{ state: InviteState | "asked" } | ThrottledLink> {
      const throttled = await consumeLinkAttempt(
        deps,
        { prefix: "invite-ask", action: "throttle-wave-invitation" },
        caller,
      );
      if (throttled) return throttled;
      return database.write(async (trx) => {
        const now = clock();
        const found = await findByCode(trx, tokens, code);
        const state = getInviteState(found, settings, now);
        if (state !== "expired" || !found) return { state };
        const { numUpdatedRows } = await trx
          .updateTable("wave_invitations")
          .set({ asked_at: now })
          .where("id", "=", found.id)
          .where("issue", "=", found.issue)
          .where("asked_at", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) {
          const entry = { action: "ask-for-invitation", subject: found.email } as const;
          await createAudit(deps)(trx, { ...caller, by: "visitor" }, entry);
        }
        return { state: "asked" as const };
      });
    },
  };

  async function noteOpening(
    { id, invited_at, opened_at }: FoundInvitation,
    { network, isNavigation }: { readonly network: string; readonly isNavigation: boolean },
  ): Promise<void> {
    const now = clock();
    const { isBurst, newInBurst } = bursts.add(network, id, now);
    if (isBurst) {
      if (newInBurst.length === 0) return;
      // What was noted before it became a burst was the scanner, too.
      await database.write((trx) =>
        trx
          .updateTable("wave_invitations")
          .set({ opened_at: null })
          .where("id", "in", newInBurst)
          .where("opened_at", ">", now - bursts.windowMs)
          .execute(),
      );
      return;
    }
    if (!isNavigation || opened_at !== null || invited_at === null || now < invited_at + SCANNED_MS) return;
    await database.write((trx) =>
      trx
        .updateTable("wave_invitations")
        .set({ opened_at: now })
        .where("id", "=", id)
        .where("opened_at", "is", null)
        .execute(),
    );
  }
}

export type FoundInvitation = NonNullable<Awaited<ReturnType<typeof findByCode>>>;

/** Finds the invitation and the person of a code; undefined for a forged one, and when they are gone. */
export async function findByCode(read: Read, tokens: InviteTokens, code: string) {
  const link = tokens.readToken(code);
  if (!link) return undefined;
  const found = await read
    .selectFrom("wave_invitations")
    .innerJoin("people", "people.id", "wave_invitations.person_id")
    .leftJoin("campaigns", "campaigns.id", "wave_invitations.campaign_id")
    .select(["wave_invitations.id", "wave_invitations.person_id", "wave_invitations.state", "issue"])
    .select(["invited_at", "opened_at", "revoked_at", "joined_at", "joined_email"])
    .select(["people.email", "people.email_key", "people.name", "people.confirmed_at", "campaigns.wave"])
    .where("wave_invitations.id", "=", link.id)
    .executeTakeFirst();
  // Each new link of an invitation has a higher issue, and ends the earlier ones.
  return found && { ...found, isNewest: found.issue === link.issue };
}

/** Returns when an invitation expires; undefined: never, or its email was not accepted yet. */
export function getExpiry(
  { invited_at }: { readonly invited_at: number | null },
  settings: Pick<InviteSettings, "days">,
): number | undefined {
  return settings.days === 0 || invited_at === null ? undefined : invited_at + days(settings.days);
}

/** Returns the state of a code's invitation. It is valid from the moment when its email is handed over. */
export function getInviteState(
  invitation:
    | {
        readonly state: WaveInvitationState;
        readonly isNewest: boolean;
        readonly invited_at: number | null;
        readonly revoked_at: number | null;
      }
    | undefined,
  settings: Pick<InviteSettings, "days">,
  now: number,
): InviteState {
  if (!invitation) return "unknown";
  if (invitation.state === "joined") return "joined";
  if (!invitation.isNewest || invitation.revoked_at !== null) return "revoked";
  const expiry = getExpiry(invitation, settings);
  return expiry !== undefined && now >= expiry ? "expired" : "valid";
}
