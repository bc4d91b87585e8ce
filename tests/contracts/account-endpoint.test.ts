import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { createAccountEndpoint } from "~/services/accounts/account-endpoint.server";
import { createPasswordPolicy } from "~/services/accounts/password-policy.server";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { newId } from "~/services/ids.server";
import { dialects } from "../databases";
import { caller, createTestTokens } from "../factories/tokens";
import { useDatabase } from "./use-database";

const PROTECTED = "kept@example.com";
const ada = { email: "Ada@Example.com", fullName: "Ada Byron", password: "a first password" };
const refused = (error: string) => ({ ok: false, error });

describe.each(dialects)("the account endpoint on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  async function setUp() {
    const { clock, person } = createTestTokens(database);
    const hasher = {
      hash: async (password: string) => `hash of ${password}`,
      verify: async () => "match" as const,
    };
    const userManagement = createUserManagement({
      database,
      hasher,
      clock,
      newId,
      protectedAccounts: [PROTECTED],
    });
    const passwordPolicy = createPasswordPolicy({ minLength: 6, brandWords: ["Confer"] });
    const endpoint = createAccountEndpoint({ userManagement, passwordPolicy });
    return { clock, person, endpoint, root: await person("root", "superadmin") };
  }
  const account = (email: string) =>
    database.read.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst();
  const audit = () =>
    database.read
      .selectFrom("audit")
      .select(["actor", "action", "subject", "outcome"])
      .orderBy("id")
      .execute();

  it("makes an admin whose password is temporary, and writes it down", async () => {
    const { clock, endpoint, root } = await setUp();
    expect(await endpoint.create(root, ada, caller)).toEqual({ ok: true });
    expect(await account("ada@example.com")).toMatchObject({
      full_name: "Ada Byron",
      role: "admin",
      password_hash: "hash of a first password",
      password_is_temporary: 1,
      password_expires_at: clock() + hours(24),
    });
    expect(await audit()).toEqual([
      { actor: root.email, action: "add-account", subject: "ada@example.com", outcome: "ok" },
    ]);
    expect(await endpoint.create(root, ada, caller)).toEqual(refused("email-taken"));
  });

  it("gives an account another password and ends its sessions", async () => {
    const { endpoint, person, root } = await setUp();
    const { accountId } = await person("ada");
    await database.write((trx) =>
      trx
        .insertInto("sessions")
        .values({
          id_hash: "h",
          account_id: accountId,
          created_at: 1,
          last_seen_at: 1,
          user_agent: "",
          network: "",
        })
        .execute(),
    );
    const given = { email: "ADA@example.com", newPassword: "a second password" };
    expect(await endpoint.resetPassword(root, given, caller)).toEqual({ ok: true });
    expect(await account("ada@example.com")).toMatchObject({
      password_hash: "hash of a second password",
      password_is_temporary: 1,
    });
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  it("touches no superadmin, no protected account, not the one who asks, and none that does not exist", async () => {
    const { endpoint, person, root } = await setUp();
    await person("kept");
    await person("second-root", "superadmin");
    const reset = (email: string) =>
      endpoint.resetPassword(root, { email, newPassword: "long enough" }, caller);
    for (const email of [PROTECTED, "second-root@example.com", root.email]) {
      expect(await reset(email)).toEqual(refused("protected"));
      expect(await account(email)).toMatchObject({ password_hash: "x" });
    }
    expect(await reset("nobody@example.com")).toEqual(refused("unknown-account"));
  });

  it("obeys whoever is a superadmin now, and nobody else", async () => {
    const { endpoint, person } = await setUp();
    const grace = await person("grace");
    expect(await endpoint.create(grace, ada, caller)).toEqual(refused("unauthorized"));
    const given = { email: grace.email, newPassword: "long enough" };
    expect(await endpoint.resetPassword(grace, given, caller)).toEqual(refused("unauthorized"));
    expect(await account("ada@example.com")).toBeUndefined();
    expect((await audit()).map(({ outcome }) => outcome)).toEqual(["refused", "refused"]);
  });

  it.each([
    ["short", "too-short"],
    ["password", "common"],
    ["confer123", "brand"],
    ["x".repeat(1001), "too-long"],
  ])("takes no password that breaks the policy: %.12s", async (password, problem) => {
    const { endpoint, root } = await setUp();
    const wrong = { ok: false, error: "wrong-password", problem };
    expect(await endpoint.create(root, { ...ada, password }, caller)).toEqual(wrong);
    const given = { email: "ada@example.com", newPassword: password };
    expect(await endpoint.resetPassword(root, given, caller)).toEqual(wrong);
    expect(await audit()).toEqual([]);
  });

  it("lists all accounts, however many there are, newest first, page by page", async () => {
    const { endpoint, root } = await setUp();
    const rows = Array.from({ length: 1200 }, (_, index) => ({
      id: newId(),
      email: `user${index}@example.com`,
      full_name: "U",
      role: "admin" as const,
      password_hash: "x",
      password_is_temporary: 0 as const,
      password_expires_at: null,
      created_at: 1,
      last_login_at: null,
    }));
    for (let at = 0; at < rows.length; at += 400) {
      const some = rows.slice(at, at + 400);
      await database.write((trx) => trx.insertInto("accounts").values(some).execute());
    }
    const pages: string[][] = [];
    for (let after: string | undefined | null; after !== null;) {
      const { accounts, next } = await endpoint.list(root, { after, limit: 400 });
      pages.push(accounts.map(({ email }) => email));
      after = next;
    }
    expect(pages.map(({ length }) => length)).toEqual([400, 400, 400, 1]);
    expect(pages.flat()).toEqual([...rows.map(({ email }) => email).reverse(), root.email]);
    expect(await endpoint.list(root, { limit: 1201 })).toMatchObject({ next: null });
  });
});
