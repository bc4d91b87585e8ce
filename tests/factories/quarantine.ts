import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import { newId } from "~/services/service-deps";
import { createQuarantine } from "~/services/signups/quarantine.server";
import type { FormContext } from "~/services/signups/signups.server";
import { createTestSignups } from "./forms";
import { storeSubmissions } from "./submissions";
import type { SubmissionKind } from "~/lib/form-fields";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import type { QuarantineReason } from "~/lib/quarantine-reasons";

/**
 * Creates the quarantine of a database, with people and bots that submit forms.
 * @param guarded the database as the quarantine sees it.
 */
export function createTestQuarantine(database: Database, guarded = database) {
  const { clock, stamps, signups, createForm } = createTestSignups(database);
  const quarantine = createQuarantine({ database: guarded, clock, newId });

  return { clock, signups, quarantine, bot, person, bots };

  /** Submits a form as a bot that is recognised by `reason`; resolves with the stored id. */
  async function bot(
    email: string,
    kind: SubmissionKind = "early-access",
    reason: QuarantineReason = "honeypot",
  ) {
    const differing = {
      honeypot: { honeypot: "https://spam.example" },
      "too-fast": { stamp: stamps.create(clock()) },
      "forged-form": { stamp: "made.up" },
    };
    expect(await submit(email, kind, differing[reason])).toEqual({ ok: true, outcome: "quarantined" });
    return findId(email, kind);
  }

  /** Submits a form as a person; resolves with the stored id. */
  async function person(email: string, kind: SubmissionKind = "early-access") {
    expect(await submit(email, kind, {})).toEqual({ ok: true, outcome: "stored" });
    return findId(email, kind);
  }

  /** Stores `count` early access submissions caught by the honeypot, without going through the forms. */
  async function bots(count: number): Promise<void> {
    const caught = { state: "quarantined", quarantine_reason: "honeypot", created_at: clock() } as const;
    const rows = Array.from({ length: count }, (_, n) => ({ ...caught, email: `bot${n}@example.com` }));
    await storeSubmissions(database, rows);
  }

  function submit(email: string, kind: SubmissionKind, differing: Partial<FormContext>) {
    const inquiry = kind === "contact-form" ? ({ inquiry_type: "general", message: "Buy!" } as const) : {};
    const columns = { ...EMPTY_FIELDS, name: `Name of ${email}`, email, ...inquiry };
    return signups.record(kind, columns, createForm(differing));
  }

  async function findId(email: string, kind: SubmissionKind): Promise<string> {
    const rows = database.read.selectFrom("submissions").select("id").where("email", "=", email);
    return (await rows.where("kind", "=", kind).orderBy("id", "desc").executeTakeFirstOrThrow()).id;
  }
}
