import { expect, it } from "vitest";
import { hours } from "~/lib/durations";
import {
  createTestSecondFactor,
  createTestUserManagement,
  findAccount,
  hasher,
  findPerson,
  openSession,
  PROTECTED,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { runNode } from "../run-node";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("npm run accounts -- reset and reset-2fa on %s", ({ database, place }) => {
  // With the tests' hashing, because the test logs in with the command's passwords.
  const run = (...args: string[]) =>
    runNode(["--import=./tests/quick-hashing.mjs", "scripts/accounts.ts", ...args], {
      ...place.environment,
      TEST_HASHING: process.env.TEST_HASHING,
    });
  const passwordIn = (output: string) => /^ *Password: (\w{8}A1!)$/m.exec(output)?.[1] ?? "";

  it("gives the only superadmin a new temporary password", async () => {
    const { accounts, sessions, signIn } = await createTestUserManagement(database);
    const session = await openSession({ accounts, sessions }, SUPERADMIN);
    const began = Date.now();
    const { code, stdout } = await run("reset", " SuperAdmin@Example.com");
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Email:    ${SUPERADMIN.email}\n`)]);
    const { password_hash, password_is_temporary, password_expires_at } = (await findAccount(
      database,
      SUPERADMIN.email,
    ))!;
    expect(password_is_temporary).toBe(1);
    expect(password_expires_at).toBeGreaterThanOrEqual(began + hours(24));
    expect(await hasher.verify(password_hash, passwordIn(stdout), "203.0.113.9")).toBe("match");
    expect(await findPerson(sessions, session)).toBeUndefined();
    const who = await signIn({ email: SUPERADMIN.email, password: passwordIn(stdout) });
    expect(who).toMatchObject({ role: "superadmin", passwordIsTemporary: true });
    expect(await readAudit(database)).toContainEqual(
      expect.objectContaining({
        actor: "system",
        action: "reissue-password",
        subject: SUPERADMIN.email,
        outcome: "ok",
      }),
    );
  });

  it("resets a protected account, and ends nobody else's session", async () => {
    const { accounts, sessions, add } = await createTestUserManagement(database);
    const session = await openSession({ accounts, sessions }, SUPERADMIN);
    const owner = await add(PROTECTED);
    const { stdout } = await run("reset", PROTECTED.email);
    expect(passwordIn(stdout)).not.toBe(owner.password);
    await openSession({ accounts, sessions }, { email: PROTECTED.email, password: passwordIn(stdout) });
    expect(await findPerson(sessions, session)).toMatchObject({ email: SUPERADMIN.email });
  });

  it("keeps the second factor until reset-2fa removes it", async () => {
    const { turnOn, enterPassword, accounts, sessions } = await createTestSecondFactor(database);
    await turnOn();
    const { stdout } = await run("reset", SUPERADMIN.email);
    expect(stdout).toContain("npm run accounts -- reset-2fa superadmin@example.com");
    const credentials = { email: SUPERADMIN.email, password: passwordIn(stdout) };
    await enterPassword(credentials);
    expect(await run("reset-2fa", SUPERADMIN.email)).toMatchObject({ code: 0 });
    await openSession({ accounts, sessions }, credentials);
    expect((await readAudit(database)).map(({ action }) => action)).toContain("reset-second-factor");
    const again = await run("reset-2fa", SUPERADMIN.email);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining("has no two-factor login")]);
    expect((await run("reset", SUPERADMIN.email)).stdout).not.toContain("reset-2fa");
  });

  it("names the superadmins when it does not know the address", async () => {
    await createTestUserManagement(database);
    const before = [await findAccount(database, SUPERADMIN.email), await readAudit(database)];
    for (const command of ["reset", "reset-2fa"]) {
      const { code, output } = await run(command, "ada@example.com");
      expect([code, output]).toEqual([
        1,
        'No account has the address "ada@example.com". The superadmins are: superadmin@example.com.\n',
      ]);
    }
    for (const wrong of [["reset"], ["reset", "a@example.com", "more"], ["reset-2fa"]]) {
      const usage = expect.stringContaining("npm run accounts -- reset ADDRESS");
      expect(await run(...wrong)).toMatchObject({ code: 1, output: usage });
    }
    expect([await findAccount(database, SUPERADMIN.email), await readAudit(database)]).toEqual(before);
  });
});
