import { expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import { shortenAddress } from "~/lib/network-address";
import { createAccounts } from "~/services/accounts/accounts.server";
import { consumePasswordAttempt } from "~/services/accounts/passwords.server";
import { consume, getNetworkLimits } from "~/services/attempts/attempts.server";
import {
  createSuperadmin,
  createTestSecondFactor,
  hasher,
  origin,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { describeOnDatabases } from "./use-database";

type Deps = Awaited<ReturnType<typeof createSuperadmin>>;

const from = (address: string) => ({ ...origin, address, network: shortenAddress(address) });
/** An address of a customer's /48, of another /64 each time. */
const ofCustomer = (index: number) => `2001:db8:7:${index.toString(16)}::1`;
/** An address of a customer of its own each time. */
const ofAnybody = (index: number) => `100.64.${index >> 8}.${index & 255}`;

const guess = (deps: Deps, address: string, email = SUPERADMIN.email) =>
  consumePasswordAttempt(deps, { email, actor: "visitor" }, from(address));

describeOnDatabases("guessing passwords on %s", ({ database }) => {
  const countRows = async () => (await database.read.selectFrom("attempts").selectAll().execute()).length;
  /** Uses up the attempts on an account from anywhere. */
  const guessEverywhere = async (deps: Deps, email?: string) => {
    for (let index = 0; index < 300; index += 1) {
      expect(await guess(deps, ofAnybody(index), email)).toMatchObject({ ok: true });
    }
  };

  // C49
  it("a /48 has 50 attempts on one account, a /56 20 and a /64 5", async () => {
    const deps = await createSuperadmin(database);
    const countAccepted = async (listed: readonly string[]) => {
      await database.write((trx) => trx.deleteFrom("attempts").execute());
      let accepted = 0;
      for (const address of listed) accepted += (await guess(deps, address)).ok ? 1 : 0;
      return accepted;
    };
    const of = (address: (index: number) => string) =>
      Array.from({ length: 80 }, (_, index) => address(index));
    expect(await countAccepted(of(() => "2001:db8:7:1::1"))).toBe(5);
    expect(await countAccepted(of((index) => `2001:db8:7:10${(index + 16).toString(16)}::1`))).toBe(20);
    expect(await countAccepted(of((index) => ofCustomer(index << 8)))).toBe(50);
    expect(await countAccepted(of(ofAnybody))).toBe(80);
  });

  // C49
  it("one /64 that guesses does not use up the attempts of its /48", async () => {
    const deps = await createSuperadmin(database);
    for (let index = 0; index < 200; index += 1) await guess(deps, "2001:db8:7:1::1");
    expect(await guess(deps, "2001:db8:7:2::1")).toMatchObject({ ok: true });
  });

  // C49, R36
  it("a /48 whose attempts are used up adds no rows", async () => {
    const limit = { allowed: 2, windowMs: minutes(1) };
    const tryFrom = (address: string) =>
      database.write((trx) => consume(trx, getNetworkLimits("test", address, limit), 0));
    for (let index = 0; index < 20; index += 1) await tryFrom(ofCustomer(index << 8));
    const before = await countRows();
    for (let index = 20; index < 40; index += 1) {
      expect(await tryFrom(ofCustomer(index << 8))).toMatchObject({ ok: false, isFirst: index === 20 });
    }
    expect(await countRows()).toBe(before);
  });

  // C49
  it("logins that succeed count against none of their networks", async () => {
    const { logIn } = await createSuperadmin(database);
    for (let logins = 0; logins < 30; logins += 1) {
      expect((await logIn({ address: "2001:db8:7:1::1" })).ok).toBe(true);
    }
    const counts = await database.read.selectFrom("attempts").select("count").execute();
    expect(counts.every(({ count }) => count === 0)).toBe(true);
  });

  // C49
  it("an account guessed 300 times from anywhere is slowed for strangers", async () => {
    const deps = await createSuperadmin(database);
    await guessEverywhere(deps);
    let accepted = 0;
    for (let index = 300; index < 330; index += 1)
      accepted += (await guess(deps, ofAnybody(index))).ok ? 1 : 0;
    expect(accepted).toBe(10);
    expect(await guess(deps, ofAnybody(331), "another@example.com")).toMatchObject({ ok: true });
    deps.clock.forward(minutes(15) + 1);
    expect(await guess(deps, ofAnybody(332))).toMatchObject({ ok: true });
    const refusals = (await readAudit(database)).filter(({ action }) => action === "throttle-password");
    expect(refusals).toHaveLength(1);
    deps.clock.forward(hours(24));
    for (let index = 400; index < 420; index += 1) {
      expect(await guess(deps, ofAnybody(index))).toMatchObject({ ok: true });
    }
  });

  // C49
  it("its owner logs in from a network they logged in from before", async () => {
    const deps = await createSuperadmin(database);
    const home = from("198.51.100.7");
    expect((await deps.accounts.logIn(SUPERADMIN, home)).ok).toBe(true);
    await guessEverywhere(deps);
    for (let index = 300; index < 320; index += 1) await guess(deps, ofAnybody(index));
    expect(await deps.accounts.logIn(SUPERADMIN, from("192.0.2.1"))).toMatchObject({ error: "throttled" });
    expect((await deps.accounts.logIn(SUPERADMIN, home)).ok).toBe(true);
    expect((await deps.accounts.logIn(SUPERADMIN, from("198.51.100.9"))).ok).toBe(true);
  });

  // C49
  it("its owner's logins from there give strangers no further attempt", async () => {
    const deps = await createSuperadmin(database);
    const home = from("198.51.100.7");
    await deps.accounts.logIn(SUPERADMIN, home);
    await guessEverywhere(deps);
    for (let index = 300; index < 310; index += 1) await guess(deps, ofAnybody(index));
    expect((await deps.accounts.logIn(SUPERADMIN, home)).ok).toBe(true);
    expect(await guess(deps, ofAnybody(310))).toMatchObject({ ok: false });
  });

  // C3
  it("a password that was not checked counts as no attempt", async () => {
    const deps = await createSuperadmin(database);
    const who = await deps.signIn();
    const verify = async () => "busy" as const;
    const busy = createAccounts({ ...deps, hasher: { hash: (password) => hasher.hash(password), verify } });
    const wrong = { ...SUPERADMIN, password: "wrong" };
    for (let times = 0; times < 4; times += 1) await deps.accounts.logIn(wrong, origin);
    const passwords = { current: SUPERADMIN.password, next: "a new one" };
    for (let times = 0; times < 4; times += 1) {
      expect(await busy.logIn(SUPERADMIN, origin)).toEqual({ ok: false, error: "busy" });
      expect(await busy.changePassword(who, passwords, origin)).toEqual({ ok: false, error: "busy" });
    }
    expect(await deps.accounts.logIn(wrong, origin)).toMatchObject({ error: "invalid" });
    expect(await deps.accounts.logIn(wrong, origin)).toMatchObject({ error: "throttled" });
  });

  // C49
  it("its owner logs in from anywhere, and a stranger learns nothing", async () => {
    const parts = await createTestSecondFactor(database);
    await parts.turnOn();
    await guessEverywhere(parts as unknown as Deps);
    for (let index = 300; index < 320; index += 1) await guess(parts as unknown as Deps, ofAnybody(index));
    const stranger = from("192.0.2.1");
    const wrong = await parts.accounts.logIn({ ...SUPERADMIN, password: "wrong" }, stranger);
    const unknown = { email: "nobody@example.com", password: "wrong" };
    await guessEverywhere(parts as unknown as Deps, unknown.email);
    for (let index = 300; index < 320; index += 1)
      await guess(parts as unknown as Deps, ofAnybody(index), unknown.email);
    expect(wrong).toMatchObject({ ok: false, error: "throttled" });
    expect(await parts.accounts.logIn(unknown, stranger)).toMatchObject({ ok: false, error: "throttled" });
    expect(await parts.accounts.logIn(SUPERADMIN, stranger)).toMatchObject({ login: { needsCode: true } });
  });
});
