import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { dialects } from "../databases";
import { origin, superadminOn } from "../factories/accounts";
import { useDatabase } from "./use-database";

describe.each(dialects)("accounts and sessions on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const setUp = (password?: string) => superadminOn(database, password);

  describe("a temporary password", () => {
    async function withTemporaryPassword(expiresInMs: number | null = hours(24)) {
      const has = await setUp();
      const password_expires_at = expiresInMs === null ? null : has.clock() + expiresInMs;
      await database.write((trx) =>
        trx.updateTable("accounts").set({ password_is_temporary: 1, password_expires_at }).execute(),
      );
      return has;
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
    ])("%s opens one session, which can go on to change it", async (_, expiresInMs) => {
      const { logIn, session, accounts, sessions } = await withTemporaryPassword(expiresInMs);
      const here = await session();
      expect(await logIn()).toEqual({ ok: false, error: "invalid" });
      const who = (await sessions.find(here))!;
      const change = { current: "correct horse", next: "a new one" };
      expect(await accounts.changePassword(who, change, origin)).toMatchObject({ ok: true });
      expect(await logIn({ password: "a new one" })).toMatchObject({ ok: true, passwordIsTemporary: false });
    });

    it("opens one session also when it is used twice at the same moment", async () => {
      const { logIn } = await withTemporaryPassword();
      const outcomes = await Promise.all([logIn(), logIn({ from: "198.51.100.7" }), logIn()]);
      expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
      expect(await database.read.selectFrom("sessions").selectAll().execute()).toHaveLength(1);
    });
  });
});
