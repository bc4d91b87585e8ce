import { expect, it } from "vitest";
import { days, minutes, seconds } from "~/lib/durations";
import { readAudit } from "../factories/accounts";
import { caller, createTestTokens } from "../factories/tokens";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("API tokens on %s", ({ database }) => {
  const rows = () => database.read.selectFrom("api_tokens").selectAll().orderBy("id").execute();
  const provenance = { network: "203.0.113.0", request_id: "r1" };
  const refused = (error: string) => ({ ok: false, error });

  // C11
  it("are 256 random bits after a prefix, stored as a hash", async () => {
    const { tokens, person: operator, make } = createTestTokens(database);
    const ada = await operator("ada");
    const token = await make(ada);
    expect(token).toMatch(/^fd_[A-Za-z0-9_-]{43}$/);
    expect(await make(ada)).not.toBe(token);
    const [stored] = await rows();
    expect(stored).toMatchObject({ prefix: token.slice(0, 11), scopes: "email:send" });
    expect(stored?.token_hash).toMatch(/^[0-9a-f]{64}$/);
    const list = await tokens.list(ada, { limit: 10 });
    const everything = JSON.stringify([await rows(), await readAudit(database), list]);
    expect(everything).not.toContain(token.slice(11));
    expect(JSON.stringify(list)).not.toContain(stored?.token_hash);
  });

  // C11
  it("are refused when missing, unknown, of another hash, expired or revoked", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const ada = await operator("ada");
    const token = await make(ada, { expiresAt: clock() + days(30) });
    const last = token.endsWith("A") ? "Q" : "A";
    expect(await tokens.authenticate(undefined, caller)).toEqual(refused("missing"));
    for (const unknown of ["", "x", "fd_", `fd_${"x".repeat(43)}`, `${token}x`, token.slice(0, -1) + last]) {
      expect(await tokens.authenticate(unknown, caller)).toEqual(refused("unknown"));
    }
    clock.forward(days(30) - 1);
    const owner = { scopes: ["email:send"], accountId: ada.accountId, email: ada.email };
    expect(await tokens.authenticate(token, caller)).toMatchObject({ ok: true, token: owner });
    clock.forward(1);
    expect(await tokens.authenticate(token, caller)).toEqual(refused("expired"));
    const another = await make(ada);
    const [, { id = "" } = {}] = await rows();
    expect(await tokens.revoke(ada, id, caller)).toBe(true);
    expect(await tokens.authenticate(another, caller)).toEqual(refused("revoked"));
    expect(await tokens.revoke(ada, id, caller)).toBe(false);
  });

  // C11
  it("end with their account, and with the role it had", async () => {
    const { tokens, person: operator, make } = createTestTokens(database);
    const [ada, grace] = [await operator("ada"), await operator("grace", "superadmin")];
    const [adas, graces] = [await make(ada), await make(grace)];
    const demote = { role: "admin" as const };
    await database.write((trx) =>
      trx.updateTable("accounts").set(demote).where("id", "=", grace.accountId).execute(),
    );
    expect(await tokens.authenticate(graces, caller)).toEqual(refused("revoked"));
    expect(await tokens.list({ ...grace, ...demote }, { limit: 10 })).toMatchObject([{ state: "demoted" }]);
    await database.write((trx) => trx.deleteFrom("accounts").where("id", "=", ada.accountId).execute());
    expect(await tokens.authenticate(adas, caller)).toEqual(refused("unknown"));
  });

  // C11
  it("have only scopes of the role that their account has when they are created", async () => {
    const { tokens, person: operator, make } = createTestTokens(database);
    const before = { ...(await operator("ada")), role: "superadmin" as const };
    await make(before, { scopes: ["email:send", "accounts:manage"] });
    expect(await rows()).toMatchObject([{ account_role: "admin", scopes: "email:send" }]);
    const wanted = { name: "Users", scopes: ["accounts:manage"], expiresAt: undefined } as const;
    expect(await tokens.create(before, wanted, caller)).toEqual(refused("no-scope"));
  });

  it("are listed and revoked by their owner and by superadmins only", async () => {
    const { tokens, person: operator, make } = createTestTokens(database);
    const [ada, grace] = [await operator("ada"), await operator("grace")];
    const root = await operator("root", "superadmin");
    await make(ada, { name: "Ada's" });
    const graces = await make(grace, { name: "Grace's" });
    const list = async (who: typeof ada) =>
      (await tokens.list(who, { limit: 10 })).map(({ name, isOwn }) => [name, isOwn]);
    expect(await list(ada)).toEqual([["Ada's", true]]);
    expect(await list(root)).toEqual([
      ["Grace's", false],
      ["Ada's", false],
    ]);
    const [{ id: adas = "" } = {}, { id = "" } = {}] = await rows();
    expect(await tokens.find(ada, id)).toBeUndefined();
    expect(await tokens.revoke(ada, id, caller)).toBe(false);
    // A superadmin who is none any more, with a request that began before.
    expect(await tokens.revoke({ ...ada, role: "superadmin" }, id, caller)).toBe(false);
    expect(await tokens.authenticate(graces, caller)).toMatchObject({ ok: true });
    expect(await tokens.revoke(root, id, caller)).toBe(true);
    expect(await tokens.authenticate(graces, caller)).toEqual(refused("revoked"));
    expect((await tokens.list(root, { before: id, limit: 10 })).map((token) => token.id)).toEqual([adas]);
    for (const invalid of ["", "x", "x\0"]) expect(await tokens.find(root, invalid)).toBeUndefined();
  });

  it("are limited to fifty active ones, even when created concurrently", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const ada = await operator("ada");
    for (let made = 0; made < 48; made += 1) await make(ada, { expiresAt: clock() + days(30) });
    const wanted = { name: "More", scopes: ["email:send"], expiresAt: undefined } as const;
    const more = await Promise.all(Array.from({ length: 6 }, () => tokens.create(ada, wanted, caller)));
    expect(more.filter((outcome) => outcome.ok)).toHaveLength(2);
    expect(more.filter((outcome) => !outcome.ok)).toEqual(Array(4).fill(refused("too-many")));
    await make(await operator("grace"));
    clock.forward(days(30));
    expect(await tokens.create(ada, wanted, caller)).toMatchObject({ ok: true });
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await tokens.create(ada, wanted, caller)).toEqual(refused("signed-out"));
  });

  it("have their last use stored at most once a minute", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const token = await make(await operator("ada"));
    const lastUse = async () => (await rows())[0]?.last_used_at;
    expect(await lastUse()).toBeNull();
    await tokens.authenticate(token, caller);
    const first = clock();
    clock.forward(minutes(1) - 1);
    await tokens.authenticate(token, caller);
    expect(await lastUse()).toBe(first);
    clock.forward(1);
    await tokens.authenticate(token, caller);
    expect(await lastUse()).toBe(first + minutes(1));
  });

  it("tell their last use to whoever sees them", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const [ada, grace] = [await operator("ada"), await operator("grace", "superadmin")];
    const token = await make(ada);
    await make(grace);
    expect(await tokens.getLastUse(ada)).toBeUndefined();
    await tokens.authenticate(token, caller);
    expect(await tokens.getLastUse(ada)).toBe(clock());
    expect(await tokens.getLastUse(grace)).toBe(clock());
    expect(await tokens.getLastUse(await operator("alan"))).toBeUndefined();
  });

  it("that are invalid are rate-limited after fifty a network", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const good = await make(await operator("ada"));
    for (let tries = 0; tries < 50; tries += 1) {
      expect(await tokens.authenticate(`fd_${tries}`, caller)).toEqual(refused("unknown"));
    }
    clock.forward(seconds(10));
    const throttled = { ...refused("throttled"), retryAfterSeconds: 15 * 60 - 10 };
    expect(await tokens.authenticate("fd_x", caller)).toEqual(throttled);
    expect(await tokens.authenticate("fd_y", caller)).toEqual(throttled);
    // The broken program beside it stops no program that works.
    expect(await tokens.authenticate(good, caller)).toMatchObject({ ok: true });
    expect(await tokens.authenticate(undefined, caller)).toEqual(refused("missing"));
    const elsewhere = { ...caller, address: "198.51.100.7" };
    expect(await tokens.authenticate("fd_x", elsewhere)).toEqual(refused("unknown"));
    clock.forward(minutes(15));
    expect(await tokens.authenticate("fd_x", caller)).toEqual(refused("unknown"));
    const entry = { ...provenance, actor: "visitor", outcome: "refused" };
    const denied = { ...entry, action: "deny-token", subject: "an unknown token" };
    expect((await readAudit(database)).slice(1)).toEqual([
      denied,
      { ...entry, action: "throttle-token", subject: "" },
      denied,
      denied,
    ]);
  });

  // C36
  it("are recorded in the audit when created, revoked and refused, each refusal once", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const ada = await operator("ada");
    const token = await make(ada);
    const label = `Newsletter (${token.slice(0, 11)}...)`;
    const outcome = await tokens.authenticate(token, caller);
    if (!outcome.ok) throw new Error(outcome.error);
    for (let calls = 0; calls < 3; calls += 1)
      await tokens.recordOverreach(outcome.token, "email:send", caller);
    const [{ id = "" } = {}] = await rows();
    await tokens.revoke(ada, id, caller);
    for (let calls = 0; calls < 3; calls += 1) await tokens.authenticate(token, caller);
    clock.forward(minutes(15));
    await tokens.authenticate(token, caller);
    const ok = { ...provenance, actor: ada.email, outcome: "ok", subject: label };
    const no = { ...provenance, action: "deny-token", outcome: "refused" };
    const deniedAgain = { ...no, actor: "visitor", subject: `the revoked token ${label}` };
    expect(await readAudit(database)).toEqual([
      { ...ok, action: "create-token" },
      { ...no, actor: ada.email, subject: `email:send with ${label}` },
      { ...ok, action: "revoke-token" },
      deniedAgain,
      deniedAgain,
    ]);
  });

  it("are limited to 600 calls a minute, which is recorded once", async () => {
    const { clock, tokens, person: operator, make } = createTestTokens(database);
    const ada = await operator("ada");
    const [token, another] = [await make(ada), await make(ada, { name: "Another" })];
    for (let calls = 0; calls < 600; calls += 20) {
      const some = await Promise.all(Array.from({ length: 20 }, () => tokens.authenticate(token, caller)));
      expect(some.every(({ ok }) => ok)).toBe(true);
    }
    for (let time = 0; time < 2; time += 1) {
      const throttled = { ...refused("too-many-calls"), retryAfterSeconds: 60 };
      expect(await tokens.authenticate(token, caller)).toEqual(throttled);
    }
    expect(await tokens.authenticate(another, caller)).toMatchObject({ ok: true });
    const throttled = (await readAudit(database)).filter(({ action }) => action === "throttle-calls");
    expect(throttled).toMatchObject([
      { actor: ada.email, subject: `Newsletter (${token.slice(0, 11)}...)`, outcome: "refused" },
    ]);
    clock.forward(minutes(1));
    expect(await tokens.authenticate(token, caller)).toMatchObject({ ok: true });
  });
});
