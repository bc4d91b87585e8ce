import { hash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { composeInvitationEmail } from "~/emails/compose-transactional";
import { hours } from "~/lib/durations";
import { importAccounts } from "~/services/accounts/import-accounts.server";
import { createInvitations, type IssuedInvitation } from "~/services/invitations/invitations.server";
import { INVITATION_EMAIL } from "~/services/invitations/invitation-email";
import { invitationPersonData } from "~/services/invitations/invitation-person-data.server";
import { revokePending } from "~/services/invitations/revoke-pending.server";
import { accepted, ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import {
  ADA,
  createTestUserManagement,
  findAccount,
  origin,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { brand } from "../factories/brand";
import { createTestEmails, sender } from "../factories/transactional-emails";
import { describeOnDatabases } from "./use-database";

const URL_START = "https://example.com/invitation/";
const PASSWORD = "a password of Ada's own";

describeOnDatabases("invitations on %s", ({ database }) => {
  async function setUp(script: Script = () => accepted) {
    const parts = await createTestUserManagement(database);
    const mailer = new ScriptedMailer(script);
    const emails = createTestEmails(database, parts.clock, { mailer, kinds: [INVITATION_EMAIL] });
    const logged: string[] = [];
    const invitations = createInvitations({
      ...parts,
      randomBytes,
      emails,
      sender,
      compose: (email) => composeInvitationEmail({ ...email, brandName: brand.name }),
      toUrl: (token) => URL_START + token,
      log: { error: (_, message) => void logged.push(message) },
    });
    const invite = async (person = ADA, isEmailed = true) => {
      const issued = await invitations.invite(parts.who, { ...person, isEmailed }, origin);
      if (!issued.ok) throw new Error(issued.error);
      return { ...issued, token: tokenOf(issued) };
    };
    const stateOf = async (token: string) => (await invitations.getLink(token, origin)).state;
    return { ...parts, invitations, mailer, invite, stateOf, logged };
  }
  const tokenOf = ({ url }: IssuedInvitation) => url.slice(URL_START.length);
  const rows = () => database.read.selectFrom("invitations").selectAll().orderBy("id").execute();

  it("stores only a hash of the link, which is in the answer and in the email", async () => {
    const { invite, mailer, clock } = await setUp();
    const { token, url, ...issued } = await invite();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(issued).toMatchObject({ ...ADA, expiresAt: clock() + hours(72), delivery: { kind: "accepted" } });
    expect(mailer.received[0]?.text).toContain(url);
    expect((await rows())[0]).toMatchObject({ token_hash: hash("sha256", token) });
    const emails = await database.read.selectFrom("transactional_emails").selectAll().execute();
    expect(JSON.stringify([await rows(), emails, await readAudit(database)])).not.toContain(token);
  });

  it("answers with the link where its email fails in an unexpected way", async () => {
    const { invite, stateOf, logged } = await setUp(() => new Error("broken"));
    const { token, delivery } = await invite();
    expect(delivery.kind).toBe("unknown");
    expect(await stateOf(token)).toBe("open");
    expect(logged).toEqual(["the email of an invitation failed"]);
  });

  it("makes an account once, with the password its owner chose", async () => {
    const { invite, invitations, signIn, stateOf } = await setUp();
    const { token } = await invite();
    expect(await stateOf(token)).toBe("open");
    expect(await invitations.accept(token, "short", origin)).toEqual({ ok: false, error: "too-short" });
    expect(await stateOf(token)).toBe("open");
    const outcomes = await Promise.all([1, 2, 3].map(() => invitations.accept(token, PASSWORD, origin)));
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(outcomes.filter((one) => !one.ok)).toEqual(Array(2).fill({ ok: false, error: "used" }));
    expect(await stateOf(token)).toBe("used");
    const ada = await signIn({ email: ADA.email, password: PASSWORD });
    expect(ada).toMatchObject({ role: "admin", passwordIsTemporary: false, fullName: ADA.fullName });
    expect(await invitations.list()).toEqual([]);
    const accepting = { actor: ADA.email, action: "accept-invitation", subject: ADA.email, outcome: "ok" };
    expect(await readAudit(database)).toContainEqual(expect.objectContaining(accepting));
  });

  it("says that a link is over, to the millisecond", async () => {
    const { invite, invitations, stateOf, clock } = await setUp();
    const { token } = await invite();
    clock.forward(hours(72) - 1);
    expect(await stateOf(token)).toBe("open");
    clock.forward(1);
    expect(await stateOf(token)).toBe("expired");
    expect(await invitations.accept(token, PASSWORD, origin)).toEqual({ ok: false, error: "expired" });
    expect(await findAccount(database, ADA.email)).toBeUndefined();
    expect(await invitations.list()).toMatchObject([{ isExpired: true }]);
  });

  it("renews an invitation, whose old link is dead", async () => {
    const { invite, invitations, who, stateOf, mailer } = await setUp();
    const old = await invite(ADA, false);
    expect([old.delivery.kind, mailer.received.length]).toEqual(["none", 0]);
    const [listed] = await invitations.list();
    const renewed = await invitations.renew(who, listed!.id, { isEmailed: true }, origin);
    if (!renewed.ok) throw new Error(renewed.error);
    expect(await stateOf(old.token)).toBe("revoked");
    expect(await invitations.accept(old.token, PASSWORD, origin)).toEqual({ ok: false, error: "revoked" });
    expect(await invitations.renew(who, listed!.id, { isEmailed: true }, origin)).toEqual({
      ok: false,
      error: "gone",
    });
    expect(await invitations.accept(tokenOf(renewed), PASSWORD, origin)).toEqual({ ok: true });
  });

  it("revokes an invitation once", async () => {
    const { invite, invitations, who, stateOf } = await setUp();
    const { token } = await invite();
    const [listed] = await invitations.list();
    const outcomes = await Promise.all([1, 2].map(() => invitations.revoke(who, listed!.id, origin)));
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(await stateOf(token)).toBe("revoked");
    expect(await invitations.list()).toEqual([]);
    expect((await invite()).ok).toBe(true);
  });

  it.each<[string, Script, object]>([
    ["accepted", () => accepted, { kind: "accepted" }],
    [
      "refused",
      () => ({ kind: "refused", code: 550, detail: "550 No such user" }),
      { kind: "refused", detail: "550 No such user" },
    ],
    [
      "not sent",
      () => ({ kind: "unreachable", detail: "ECONNREFUSED" }),
      { kind: "not-sent", detail: "ECONNREFUSED" },
    ],
    ["unknown", () => ({ kind: "unknown", detail: "timed out" }), { kind: "unknown", detail: "timed out" }],
  ])("tells in the answer and in the list that an email was %s", async (_, script, delivery) => {
    const { invite, invitations } = await setUp(script);
    expect((await invite()).delivery).toMatchObject(delivery);
    expect(await invitations.list()).toMatchObject([{ ...ADA, invitedBy: SUPERADMIN.email, delivery }]);
  });

  it("invites no address that has an account or a pending invitation", async () => {
    const { invite, invitations, who, add, stateOf } = await setUp();
    const again = () =>
      invitations.invite(who, { ...ADA, email: "ADA@example.com", isEmailed: true }, origin);
    const { token } = await invite();
    expect(await again()).toEqual({ ok: false, error: "invited" });
    await add(ADA);
    expect(await stateOf(token)).toBe("used");
    expect(await invitations.accept(token, PASSWORD, origin)).toEqual({ ok: false, error: "used" });
    expect(await again()).toEqual({ ok: false, error: "email-taken" });
  });

  // C11
  it.each(["a superadmin", "an import"])("ends with an account from %s, also after it", async (by) => {
    const { invite, invitations, users, who, add, stateOf, ...deps } = await setUp();
    const { token } = await invite();
    const source = { list: () => Promise.resolve([{ ...ADA, role: "" }]) };
    await (by === "an import" ? importAccounts(deps, source, () => () => undefined) : add(ADA));
    expect(await invitations.list()).toEqual([]);
    await users.removeAccount(who, (await findAccount(database, ADA.email))!.id, origin);
    expect(await stateOf(token)).toBe("revoked");
    expect((await invite()).ok).toBe(true);
  });

  // C9
  it("ends with the role and the account of whoever invited", async () => {
    const { users, who, add, signIn, invitations, stateOf } = await setUp();
    const grace = await add({ email: "grace@example.com", fullName: "Grace Hopper" });
    const operator = await signIn(grace);
    const inviteBy = () => invitations.invite(operator, { ...ADA, isEmailed: false }, origin);
    expect(await inviteBy()).toEqual({ ok: false, error: "unauthorized" });
    await users.changeRole(who, grace.id, "superadmin", origin);
    const issued = await inviteBy();
    if (!issued.ok) throw new Error(issued.error);
    await users.changeRole(who, grace.id, "admin", origin);
    expect(await stateOf(tokenOf(issued))).toBe("revoked");
    await users.removeAccount(who, grace.id, origin);
    expect(await stateOf(tokenOf(issued))).toBe("unknown");
  });

  it("limits guesses and forms of a network, and records it once", async () => {
    const { invitations, stateOf, invite } = await setUp();
    const { token } = await invite();
    expect(await stateOf("x")).toBe("unknown");
    for (let guess = 1; guess <= 50; guess += 1) {
      expect(await stateOf(randomBytes(32).toString("base64url"))).toBe("unknown");
    }
    expect(await stateOf(randomBytes(32).toString("base64url"))).toBe("throttled");
    expect(await invitations.accept(token, PASSWORD, origin)).toMatchObject({
      ok: false,
      error: "throttled",
    });
    const elsewhere = { ...origin, address: "198.51.100.7" };
    expect(await invitations.accept(token, PASSWORD, elsewhere)).toEqual({ ok: true });
    const throttled = (await readAudit(database)).filter(({ action }) => action === "throttle-invitation");
    expect(throttled).toHaveLength(1);
  });

  it("ends with an erasure and a restore, and is deleted a month after", async () => {
    const { invite, invitations, stateOf, clock } = await setUp();
    const first = await invite();
    expect(await invitationPersonData.export?.(database.read, ADA.email)).toMatchObject([
      { email: ADA.email },
    ]);
    await database.write((trx) => invitationPersonData.erase!(trx, ADA.email, clock()));
    expect(await stateOf(first.token)).toBe("unknown");
    const second = await invite({ ...ADA, email: "grace@example.com" });
    await database.write((trx) => revokePending(trx, clock()));
    expect(await stateOf(second.token)).toBe("revoked");
    clock.forward(hours(72 + 30 * 24));
    await invitations.sweep();
    expect(await rows()).toEqual([]);
  });
});
