import { sql } from "kysely";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { createPeople } from "~/services/people/people.server";
import { joinAudience } from "~/services/signups/audience-position.server";
import { EMPTY_FIELDS } from "~/services/signups/typed-columns";
import { release } from "~/services/suppressions/suppression-list.server";
import { dialects } from "../databases";
import { createTestConfirmations } from "../factories/confirmations";
import { operator, createTestOutreach, people, signUp, suppress, waitUntil } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { measureQuickest } from "../factories/quickest";
import { createTestSubmissions } from "../factories/submissions";
import { useDatabase } from "./use-database";

describe.each(dialects)("the question before a campaign on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const confirmed = { ok: true, already: false };
  const idOf = async (email: string) => {
    const row = database.read.selectFrom("submissions").select("id").where("email", "=", email);
    return (await row.executeTakeFirstOrThrow()).id;
  };
  const restoring = (ids: readonly string[]) => {
    const { deletions } = createTestSubmissions(database);
    return {
      remove: async () => (await deletions.delete({ kind: "early-access", ids }, operator)) ?? "",
      restore: (deletion: string) => deletions.undo(deletion, operator),
    };
  };

  it("is confirmed at once while people keep signing up, and those it counted get the email (C30)", async () => {
    await signUp(database, people(40));
    const { draft, outreach, dispatcher, mailer, rows, getStats } = createTestOutreach(database);
    const campaignId = await draft();
    const campaign = (await outreach.findCampaign(campaignId))!;
    let arrived = 0;
    let isOver = false;
    const arrivals = [1, 2, 3].map(async (entrance) => {
      for (let number = 1; !isOver; number += 1) {
        await signUp(database, [`late${entrance}.${number}@example.com`]);
        arrived += 1;
      }
    });
    const more = async () => {
      const before = arrived;
      await waitUntil(() => arrived > before + 3);
    };
    await more();
    const { reviewed: question, mailable } = await outreach.getPreflight(campaign);
    await more();
    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    await more();
    await dispatcher({ concurrency: 500 }).tick();
    isOver = true;
    await Promise.all(arrivals);
    expect(mailable).toBeGreaterThan(40);
    const joined = await database.read
      .selectFrom("submissions")
      .select("email")
      .where("audience_position", "<=", question.through)
      .execute();
    expect(joined).toHaveLength(mailable);
    expect(mailer.recipients.toSorted()).toEqual(joined.map(({ email }) => email).toSorted());
    expect(await rows(campaignId)).toHaveLength(mailable);
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      selected: mailable,
      sent: mailable,
      left: 0,
    });
  });

  it("does not include who was under way when it counted, however old their id (C30)", async () => {
    const [early, unlucky] = [newId(), newId()];
    await signUp(database, people(2));
    const { draft, asked, outreach, dispatcher, mailer } = createTestOutreach(database);
    const campaignId = await draft();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<undefined>();
    const { promise: stored, resolve: isStored } = Promise.withResolvers<undefined>();
    const underWay = database.write(async (trx) => {
      const row = { ...EMPTY_FIELDS, quarantine_reason: "", state: "accepted", created_at: 1 } as const;
      const email = "under-way@example.com";
      await trx
        .insertInto("submissions")
        .values({ ...row, id: unlucky, kind: "early-access", name: "Ada", email, email_key: email })
        .execute();
      await joinAudience(trx, "early-access", [unlucky], 1);
      isStored(undefined);
      await mayCommit;
    });
    await Promise.race([stored, underWay]);
    const question = await asked(campaignId);
    commit(undefined);
    await underWay;
    await signUp(database, ["old-id@example.com"], { id: early });
    expect(question.counted).toBe(2);
    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(people(2));
  });

  it("never sees a later position before an earlier one (C30)", async () => {
    const { draft, asked } = createTestOutreach(database);
    const campaignId = await draft();
    let isOver = false;
    let seen = 0;
    const looking = (async () => {
      while (!isOver) {
        const question = await asked(campaignId);
        const again = (
          await database.read
            .selectFrom("submissions")
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .where("audience_position", "<=", question.through)
            .executeTakeFirstOrThrow()
        ).count;
        expect(again).toBe(question.counted);
        seen += 1;
        // SQLite answers without waiting, which would let nobody else have a turn.
        await setImmediate();
      }
    })();
    await Promise.all(
      [1, 2, 3, 4].map(async (entrance) => {
        for (let number = 1; number <= 25; number += 1)
          await signUp(database, [`e${entrance}.${number}@example.com`]);
      }),
    );
    isOver = true;
    await looking;
    expect(seen).toBeGreaterThan(0);
    expect((await asked(campaignId)).counted).toBe(100);
  });

  it("skips who unsubscribed since, leaves out who was deleted or erased, and the totals add up (C30)", async () => {
    await signUp(database, [...people(5), "gone@example.com"]);
    await suppress(database, "gone@example.com");
    const { draft, asked, outreach, dispatcher, mailer, getStats, states } = createTestOutreach(database);
    const campaignId = await draft();
    const question = await asked(campaignId);
    expect(question.counted).toBe(6);
    await suppress(database, "person1@example.com");
    await restoring([await idOf("person2@example.com")]).remove();
    const erased = await createPeople({ database, outbox: undefined, clock: () => 1, newId }).erase(
      await idOf("person3@example.com"),
      operator,
    );
    expect(erased).toMatchObject({ ok: true });
    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(["person4@example.com", "person5@example.com"]);
    expect(await states(campaignId)).toEqual({
      "person1@example.com": "skipped",
      "person4@example.com": "sent",
      "person5@example.com": "sent",
      "gone@example.com": "skipped",
    });
    const { selected, recipients, skipped, left } = await getStats(campaignId);
    expect({ selected, recipients, skipped, left }).toEqual({
      selected: 4,
      recipients: 2,
      skipped: 2,
      left: 2,
    });
    expect(selected + left).toBe(question.counted);
  });

  it("does not include who comes back after it: restored, released, confirmed, wanted again (C30)", async () => {
    const quarantine = createTestQuarantine(database);
    const bot = await quarantine.bot("bot@example.com");
    await signUp(database, ["restored@example.com", "deleted-since@example.com", "released@example.com"]);
    await signUp(database, people(1));
    await suppress(database, "released@example.com", "refused");
    const before = restoring([await idOf("restored@example.com")]);
    const since = restoring([await idOf("deleted-since@example.com")]);
    const deletion = await before.remove();
    const { draft, asked, outreach, dispatcher, mailer, getStats } = createTestOutreach(database);
    const campaignId = await draft();
    const question = await asked(campaignId);
    expect(question.counted).toBe(3);

    await quarantine.quarantine.release({ ids: [bot] }, operator);
    expect(await before.restore(deletion)).toBe(1);
    expect(await since.restore(await since.remove())).toBe(1);
    const { id } = await database.read.selectFrom("suppressions").select("id").executeTakeFirstOrThrow();
    await release(database, { ids: [id], reason: "" }, async () => undefined);

    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(people(1));
    expect(await getStats(campaignId)).toMatchObject({ selected: 1, sent: 1, left: 2 });
    // The next question counts them all.
    expect((await asked(await draft())).counted).toBe(5);
  });

  it("does not include who confirms their address after it, nor whom that takes off the list again (C30)", async () => {
    const { signUp: signUpForUpdates, confirmations, tokens, getRequest } = createTestConfirmations(database);
    await signUp(database, [...people(1), "ada@example.com"], { kind: "updates-signup" });
    await suppress(database, "ada@example.com");
    await signUpForUpdates("ada@example.com");
    const { draft, asked, outreach, dispatcher, mailer } = createTestOutreach(database);
    const campaignId = await draft({ audience: "updates-signup" });
    const question = await asked(campaignId);
    expect(question.counted).toBe(2);
    const token = tokens.tokenFor(await getRequest());
    expect(await confirmations.confirm(token, { network: "", requestId: "" })).toBe("open");
    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(people(1));
  });

  it("adds no recipient when an address leaves the suppression list before the scheduled time (C30)", async () => {
    await signUp(database, [...people(1), "released@example.com"]);
    await suppress(database, "released@example.com", "refused");
    const { confirmed: confirm, dispatcher, mailer, clock, getStats } = createTestOutreach(database);
    const schedule = { beginAt: clock() + minutes(10), whenMissed: "send" } as const;
    const campaignId = await confirm({ schedule });
    await dispatcher().tick();
    expect(await getStats(campaignId)).toMatchObject({ selected: 2, recipients: 1, skipped: 1, pending: 1 });
    const { id } = await database.read.selectFrom("suppressions").select("id").executeTakeFirstOrThrow();
    await release(database, { ids: [id], reason: "" }, async () => undefined);
    clock.forward(minutes(11));
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(people(1));
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      skippedByReason: { suppressed: 1 },
    });
  });

  it.each<[string, { title?: string; message?: string; audience?: "contact-form" }]>([
    ["title", { title: "Theirs" }],
    ["message", { message: "Theirs." }],
    ["audience", { audience: "contact-form" }],
  ])("is asked again when a colleague changed the %s since (C30)", async (_, change) => {
    await signUp(database, people(2));
    await signUp(database, people(2), { kind: "contact-form" });
    const { draft, asked, outreach } = createTestOutreach(database);
    const id = await draft();
    const question = await asked(id);
    await draft({ id, ...change });
    const outcome = await outreach.confirm({ campaignId: id, reviewed: question }, operator);
    expect(outcome).toEqual({ ok: false, error: "content-changed" });
    expect(await outreach.findCampaign(id)).toMatchObject({ state: "draft", confirmed_at: null, counted: 0 });
    expect(await database.read.selectFrom("audit").selectAll().execute()).toEqual([]);
    const next = await asked(id);
    expect(await outreach.confirm({ campaignId: id, reviewed: next }, operator)).toEqual(confirmed);
  });

  it("stands when the same words were only saved again (C30)", async () => {
    await signUp(database, people(1));
    const { draft, asked, outreach } = createTestOutreach(database);
    const id = await draft();
    const question = await asked(id);
    await draft({ id });
    expect(await outreach.confirm({ campaignId: id, reviewed: question }, operator)).toEqual(confirmed);
  });

  it("reaches no further than there is, whatever its form sends back (C30)", async () => {
    await signUp(database, people(1));
    const { draft, asked, outreach, dispatcher, mailer } = createTestOutreach(database);
    const campaignId = await draft();
    const question = { ...(await asked(campaignId)), through: 1_000_000 };
    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    await signUp(database, ["late@example.com"]);
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(people(1));
  });

  it("reaches nobody who comes back after it, whatever its form sends back (C30)", async () => {
    await signUp(database, people(2));
    const { remove, restore } = restoring([await idOf("person1@example.com")]);
    const deletion = await remove();
    const { draft, asked, outreach, dispatcher, mailer } = createTestOutreach(database);
    const campaignId = await draft();
    const question = { ...(await asked(campaignId)), through: 1_000_000 };
    expect(await outreach.confirm({ campaignId, reviewed: question }, operator)).toEqual(confirmed);
    expect(await restore(deletion)).toBe(1);
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(["person2@example.com"]);
  });

  it("counts 100,000 exactly, in well under a second, whoever joined since (C30, R27)", async () => {
    const { draft, outreach } = createTestOutreach(database);
    const campaign = (await outreach.findCampaign(await draft()))!;
    await database.write(async (trx) => {
      await sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at, audience_position)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 110000)
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text), 'early-access', 'accepted', '', 'Ada',
          'ada' || (n % 105000) || '@example.com', 'ada' || (n % 105000) || '@example.com', '', '', '', '', n,
          case when n > 100000 then 2 else 1 end
        from numbers`.execute(trx);
      await trx
        .insertInto("submission_counts")
        .values({ kind: "early-access", state: "accepted", count: 100_000, audience_position: 1 })
        .execute();
    });
    await suppress(database, "ada7@example.com");
    await suppress(database, "ada8@example.com", "refused");
    // Joined since: its address was not counted.
    await suppress(database, "ada100001@example.com");
    if (dialect === "postgres") await sql`vacuum analyze submissions`.execute(database.read);
    expect(await outreach.getPreflight(campaign)).toMatchObject({
      total: 100_000,
      mailable: 99_998,
      skippedByReason: { unsubscribed: 1, suppressed: 1 },
      duplicates: 0,
      reviewed: { through: 1, counted: 100_000 },
    });
    expect(await measureQuickest(() => outreach.getPreflight(campaign), { within: 500 })).toBeLessThan(500);
  });
});
