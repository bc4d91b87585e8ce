import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { dialects } from "../databases";
import { origin, createSuperadmin } from "../factories/accounts";
import { useDatabase } from "./use-database";

describe.each(dialects)("accounts and sessions on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const setUp = (password?: string) => createSuperadmin(database, password);

  describe("a temporary password", () => {
    async function withTemporaryPassword(expiresInMs: number | null = hours(24)) {
      const deps = await setUp();
      const password_expires_at = expiresInMs === null ? null : deps.clock() + expiresInMs;
      await database.write((trx) =>
        trx.updateTable("accounts").set({ password_is_temporary: 1, password_expires_at }).execute(),
      );
      return deps;
    }

    it("is good until its last millisecond, and then refused in the words of a wrong one", async () => {
      const { logIn, clock } = await withTemporaryPassword();
      clock.forward(hours(24) - 1);
      expect(await logIn()).toMatchObject({ ok: true, passwordIsTemporary: true });
    });

    it("is refused in the words of a wrong one when it has run out", async () => {
      const { logIn, clock } = await withTemporaryPassword();
      clock.forward(hours(24));
      expect(await logIn()).toEqual({ ok: false, error: "invalid" });
    });

    it.each([
      ["with an end", hours(24)],
      ["without one, as the first superadmin's", null],
    ])("%s logs in again until its owner has chosen a password of their own", async (_, expiresInMs) => {
      const { logIn, session, accounts, sessions, clock } = await withTemporaryPassword(expiresInMs);
      await session();
      clock.forward(hours(23));
      const who = (await sessions.find(await session()))!;
      expect(who.passwordIsTemporary).toBe(true);
      const change = { current: "correct horse", next: "a new one" };
      expect(await accounts.changePassword(who, change, origin)).toMatchObject({ ok: true });
      expect(await logIn()).toEqual({ ok: false, error: "invalid" });
      expect(await logIn({ password: "a new one" })).toMatchObject({ ok: true, passwordIsTemporary: false });
    });

    it("is refused after its last millisecond also when it was used before", async () => {
      const { logIn, session, clock } = await withTemporaryPassword();
      await session();
      clock.forward(hours(24));
      expect(await logIn()).toEqual({ ok: false, error: "invalid" });
    });
  });
});
