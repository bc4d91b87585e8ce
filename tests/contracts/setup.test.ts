import { expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { readAudit } from "../factories/accounts";
import { createTestImports } from "../factories/imports";
import { createLateOutcome } from "../factories/outreach";
import { createTestSetup } from "../factories/setup";
import { storeSubmissions } from "../factories/submissions";
import { accepted, refused } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

const actor = { by: "ada@confer.dev", network: "203.0.113.0", requestId: "request-1" };

describeOnDatabases("the setup on %s", ({ database }) => {
  const addAccount = (email: string) =>
    database.write((trx) =>
      trx
        .insertInto("accounts")
        .values({
          id: newId(),
          email,
          full_name: "Ada Byron",
          role: "superadmin",
          password_hash: "none",
          password_is_temporary: 0,
          password_expires_at: null,
          created_at: 1,
          last_login_at: null,
        })
        .execute(),
    );

  // C34
  it("is done step by step, and only by proofs", async () => {
    const { setup, getStates, change } = createTestSetup(database);
    change({ settings: { REQUIRE_2FA: "on" } });
    await addAccount(actor.by);
    expect(await getStates()).toEqual({
      address: "unproven",
      brand: "done",
      "mail-server": "done",
      sender: "done",
      "test-email": "unproven",
      privacy: "done",
      backup: "done",
      signup: "open",
      colleague: "open",
      login: "unproven",
      server: "unproven",
    });
    expect(await setup.getCard()).toEqual({ done: 5, total: 11, next: "address" });
    expect(await setup.check()).toBe(true);
    await setup.sendTestEmail(actor);
    await storeSubmissions(database, [{}]);
    await addAccount("grace@confer.dev");
    expect(new Set(Object.values(await getStates()))).toEqual(new Set(["done"]));
    expect(await setup.getCard()).toBeUndefined();
  });

  // C34
  it("shows a problem as soon as it is there, and forgets slow results of other settings", async () => {
    const { setup, getStates, change } = createTestSetup(database);
    await setup.check();
    expect(await getStates()).toMatchObject({ address: "done", server: "done" });
    change({ settings: { ORIGIN: "http://launch.confer.dev" }, backups: NO_BACKUP });
    expect(await getStates()).toMatchObject({ address: "open", backup: "open", server: "unproven" });
    change({ originResponse: { problem: "ECONNREFUSED" } });
    await setup.check();
    expect(await getStates()).toMatchObject({ address: "open", server: "done" });
  });

  it("sends a test email to the actor and keeps the mail server's answer", async () => {
    const { setup, mailer, getStates, change } = createTestSetup(database, () => refused);
    expect(await setup.sendTestEmail(actor)).toBe("refused");
    expect(mailer.recipients).toEqual([actor.by]);
    const { testEmail } = await setup.getView({ email: actor.by });
    expect(testEmail).toMatchObject({ outcome: "refused", detail: refused.detail, isCurrent: true });
    expect(await getStates()).toMatchObject({ "test-email": "open" });
    expect(await readAudit(database)).toMatchObject([{ action: "send-test-email", outcome: "failed" }]);
    change({ settings: { SMTP_URL: "smtp://other.confer.dev" } });
    expect(await getStates()).toMatchObject({ "test-email": "unproven" });
  });

  it("records an answer of the mail server that comes after 30 s", async () => {
    const { outcome, release } = createLateOutcome();
    const { setup, mailer, forward, getStates } = createTestSetup(database, () => outcome);
    const sending = setup.sendTestEmail(actor);
    await expect.poll(() => mailer.received.length).toBe(1);
    forward(seconds(30));
    expect(await sending).toBe("waiting");
    expect(await getStates()).toMatchObject({ "test-email": "unproven" });
    release(accepted);
    await expect.poll(getStates).toMatchObject({ "test-email": "done" });
  });

  it("takes an email in the outbox for no proof", async () => {
    const { setup, getStates, change } = createTestSetup(database);
    change({ settings: { MAIL_DRIVER: "outbox", SMTP_URL: "" } });
    expect(await setup.sendTestEmail(actor)).toBe("stored");
    expect(await getStates()).toMatchObject({ "mail-server": "open", "test-email": "open" });
  });

  it("takes no imported person for a signup", async () => {
    const { getStates } = createTestSetup(database);
    const { run } = createTestImports(database);
    await run("Email\nada@example.com\ngrace@example.com\n");
    expect(await getStates()).toMatchObject({ signup: "open" });
    await storeSubmissions(database, [{}]);
    await run("Email\nalan@example.com\n");
    expect(await getStates()).toMatchObject({ signup: "done" });
  });

  it("removes one's own signups, nobody else's, and remembers that one arrived", async () => {
    const { setup, getStates } = createTestSetup(database);
    await storeSubmissions(database, [
      { email: "Ada@confer.dev" },
      { email: actor.by, kind: "updates-signup" },
      { email: actor.by, state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    const { ownSignups } = await setup.getView({ email: actor.by });
    expect(ownSignups.map(({ state }) => state).toSorted()).toEqual(["accepted", "accepted", "quarantined"]);
    expect(await setup.getView({ email: "grace@confer.dev" })).toMatchObject({ ownSignups: [] });
    expect(await setup.removeOwnSignups(actor)).toBe(2);
    expect(await setup.removeOwnSignups(actor)).toBe(0);
    expect(await getStates()).toMatchObject({ signup: "done" });
    expect(await database.read.selectFrom("submissions").select("state").execute()).toHaveLength(3);
  });

  it("shows the card until it is dismissed, and again once that is undone", async () => {
    const { setup } = createTestSetup(database);
    await setup.dismissCard(actor);
    expect(await setup.getCard()).toBeUndefined();
    expect(await setup.getView({ email: actor.by })).toMatchObject({ isCardDismissed: true });
    await setup.restoreCard(actor);
    expect(await setup.getCard()).toMatchObject({ total: 11 });
    expect(await readAudit(database)).toMatchObject([
      { action: "dismiss-setup-card" },
      { action: "restore-setup-card" },
    ]);
  });

  it("stores no password of a setting", async () => {
    const { setup } = createTestSetup(database);
    await setup.check();
    await setup.sendTestEmail(actor);
    const records = await database.read.selectFrom("setup_records").selectAll().execute();
    expect(records).toHaveLength(2);
    expect(JSON.stringify(records)).not.toMatch(/frontdesk:secret|0123456789abcdef/);
  });

  it("shows what is left of the day's emails", async () => {
    const { setup } = createTestSetup(database, undefined, { perDay: 500 });
    await setup.sendTestEmail(actor);
    const { allowance } = await setup.getView({ email: actor.by });
    expect(allowance).toMatchObject({ limit: 500, used: 1, remaining: 499, keptFree: 50 });
    const unlimited = createTestSetup(database);
    expect((await unlimited.setup.getView({ email: actor.by })).allowance).toBeUndefined();
  });
});

const NO_BACKUP = { folder: "backups", newestAt: undefined, isOnSameDisk: undefined, hasTools: true };
