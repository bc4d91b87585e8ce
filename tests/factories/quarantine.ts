import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import type { QuarantineReason } from "~/services/signups/typed-columns";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups } from "~/services/signups/signups.server";
import { createSubmissionContext } from "./forms";
import { storeSubmissions } from "./submissions";
import { createTestClock } from "./time";

/** Creates the quarantine of a database, with people and bots that submit forms. */
export function createTestQuarantine(database: Database, guarded = database) {
  const clock = createTestClock();
  const stamps = createFormStamps("a secret of the tests");
  const signups = createSignups({ database, stamps, clock, newId });
  const quarantine = createQuarantine({ database: guarded, clock, newId });
  const stamp = stamps.make(clock());
  clock.forward(seconds(5));
  let networks = 0;

  return { clock, signups, quarantine, bot, person, bots, findId, expectCountsToAgree };

  /** Submits a form as a bot that is recognised by `reason`; resolves with the stored id. */
  async function bot(
    email: string,
    kind: SubmissionKind = "early-access",
    reason: QuarantineReason = "honeypot",
  ) {
    const tells = {
      honeypot: { honeypot: "https://spam.example" },
      "too-fast": { stamp: stamps.make(clock()) },
      "forged-form": { stamp: "made.up" },
    };
    expect(await send(email, kind, tells[reason])).toEqual({ ok: true, outcome: "quarantined" });
    return findId(email, kind);
  }

  async function person(email: string, kind: SubmissionKind = "early-access") {
    expect(await send(email, kind, {})).toEqual({ ok: true, outcome: "stored" });
    return findId(email, kind);
  }

  /** Stores `count` early access submissions caught by the honeypot, without going through the forms. */
  async function bots(count: number): Promise<void> {
    const given_at = clock();
    await storeSubmissions(
      database,
      Array.from({ length: count }, (_, number) => ({
        email: `bot${number}@example.com`,
        state: "quarantined",
        quarantine_reason: "honeypot",
        created_at: given_at,
      })),
    );
  }

  function send(
    email: string,
    kind: SubmissionKind,
    differing: Parameters<typeof createSubmissionContext>[1],
  ) {
    networks += 1;
    const address = `10.${networks >> 8}.${networks & 255}.1`;
    const form = createSubmissionContext(stamp, { address, ...differing });
    const name = `Name of ${email}`;
    switch (kind) {
      case "early-access":
        return signups.recordEarlyAccessSignup({ name, email, company: "", role: "" }, form);
      case "contact-form":
        return signups.recordContactSubmission(
          { fullName: name, email, inquiryType: "general", message: "Buy!" },
          form,
        );
      case "updates-signup":
        return signups.recordUpdatesSignup({ name, email }, form);
    }
  }

  async function findId(email: string, kind: SubmissionKind): Promise<string> {
    const rows = database.read.selectFrom("submissions").select("id").where("email", "=", email);
    return (await rows.where("kind", "=", kind).orderBy("id", "desc").executeTakeFirstOrThrow()).id;
  }

  /** Expects the stored counts to agree with the rows. */
  async function expectCountsToAgree(): Promise<void> {
    const there = await database.read
      .selectFrom("submissions")
      .select(({ fn }) => ["kind", "state", fn.countAll<number>().as("count")])
      .groupBy(["kind", "state"])
      .orderBy("kind")
      .orderBy("state")
      .execute();
    const kept = await database.read
      .selectFrom("submission_counts")
      .select(["kind", "state", "count"])
      .where("count", "!=", 0)
      .orderBy("kind")
      .orderBy("state")
      .execute();
    expect(kept).toEqual(there);
  }
}
