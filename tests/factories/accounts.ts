import { generateSync } from "otplib";
import type { Database } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { seconds } from "~/lib/durations";
import type { Clock } from "~/services/service-deps";
import { createLoginSessionStorage, createSessionCookie } from "~/services/access/session-storage.server";
import { createAccounts, type Accounts } from "~/services/accounts/accounts.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { getPasswordFingerprint } from "~/services/accounts/password-fingerprint";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { createPasswordPolicy } from "~/services/accounts/password-policy.server";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createSecondFactor } from "~/services/second-factor/second-factor.server";
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import { newId } from "~/services/service-deps";
import { createSessions, type Sessions, type SignedIn } from "~/services/sessions/sessions.server";
import { createTestClock } from "./time";

export const hasher = new Argon2PasswordHasher();
export const SUPERADMIN = { email: "superadmin@example.com", password: "correct horse" };
export const ADA = { email: "ada@example.com", fullName: "Ada Byron" };
/** An address that cannot be removed. */
export const PROTECTED = { email: "owner@example.com", fullName: "The Owner" };
export const origin = { address: "203.0.113.9", network: "203.0.113.0", requestId: "r1", userAgent: "test" };

/** The dependencies of the account services, with a clock that only a test moves. */
export function createAccountDeps(database: Database) {
  const passwordPolicy = createPasswordPolicy({ minLength: 6, brandWords: ["Confer", "frontdesk"] });
  const clock = createTestClock();
  const box = createSecretBox("a secret of the tests");
  return { database, hasher, passwordPolicy, box, clock, newId };
}

/** Logs in and resolves with the session's id. */
export async function openSession(
  { accounts, sessions }: { accounts: Accounts; sessions: Sessions },
  credentials: { email: string; password: string },
): Promise<string> {
  const outcome = await accounts.logIn(credentials, origin);
  if (!outcome.ok) throw new Error(outcome.error);
  if (outcome.login.needsCode) throw new Error("a code is needed");
  return (await sessions.create({ account: outcome.login, origin }))!;
}

/** Starts a session without a login; resolves with its id. */
export async function insertSession(
  database: Database,
  { accountId, clock, ...from }: { accountId: string; clock: Clock; userAgent: string; network: string },
): Promise<string> {
  const { email, password_hash } = await database.read
    .selectFrom("accounts")
    .selectAll()
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  const passwordFingerprint = getPasswordFingerprint(password_hash);
  const account = { needsCode: false, accountId, email, passwordFingerprint } as const;
  return (await createSessions({ database, clock, newId }).create({ account, origin: from }))!;
}

/** Finds the person of a session as a request does, which is a use of the session. */
export async function findPerson(sessions: Sessions, id: string): Promise<SignedIn | undefined> {
  const session = await sessions.read(id);
  if (session) await sessions.recordUse(id, session);
  return session?.user;
}

/** Creates the first superadmin in a database, with the services and functions to log in as them. */
export async function createSuperadmin(database: Database, password = SUPERADMIN.password) {
  const deps = createAccountDeps(database);
  await ensureSuperadmin(deps, { email: SUPERADMIN.email, password });
  const accounts = createAccounts(deps);
  const sessions = createSessions(deps);
  const logIn = ({
    address = origin.address,
    ...credentials
  }: Partial<typeof SUPERADMIN> & { address?: string } = {}) =>
    accounts.logIn({ ...SUPERADMIN, ...credentials }, { ...origin, address });
  const session = () => openSession({ accounts, sessions }, SUPERADMIN);
  /** Logs in; resolves with the signed-in person. */
  const signIn = async (credentials = SUPERADMIN) =>
    (await findPerson(sessions, await openSession({ accounts, sessions }, credentials)))!;
  const cookie = createSessionCookie({ secret: "a secret of the tests", secure: false });
  const sessionStorage = createLoginSessionStorage(cookie, sessions);
  return { ...deps, accounts, sessions, cookie, sessionStorage, logIn, session, signIn };
}

/** Creates user management and a signed-in superadmin. */
export async function createTestUserManagement(database: Database) {
  const parts = await createSuperadmin(database);
  const users = createUserManagement({ ...parts, protectedAccounts: [PROTECTED.email] });
  const who = await parts.signIn();
  /** Adds an account; resolves with its credentials and its id. */
  const add = async (person: { email: string; fullName: string }) => {
    const added = await users.addAccount(who, person, origin);
    if (!added.ok) throw new Error(added.error);
    const { email, temporaryPassword: password } = added;
    return { email, password, id: (await findAccount(database, email))!.id };
  };
  return { ...parts, users, who, add };
}

/** Creates a signed-in superadmin and the services of their second factor. */
export async function createTestSecondFactor(database: Database) {
  const { logIn: logInWithPassword, ...parts } = await createSuperadmin(database);
  const { accounts, clock } = parts;
  const who = await parts.signIn();
  const secondFactor = createSecondFactor({ ...parts, issuer: "Tests", isRequired: false });
  /** Returns the code that the app shows now, or a number of steps later. */
  const codeFor = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(clock() / 1000) + 30 * steps });
  /** Turns it on, which uses up the current code. */
  const turnOn = async (operator = who, { password } = SUPERADMIN) => {
    await secondFactor.begin(operator, password, origin);
    const state = await secondFactor.getState(operator);
    if (state.kind !== "enrolling") throw new Error(state.kind);
    const confirmed = await secondFactor.confirm(operator, codeFor(state.secret), origin);
    if (!confirmed.ok) throw new Error(confirmed.error);
    clock.forward(seconds(30));
    return { secret: state.secret, recoveryCodes: confirmed.recoveryCodes };
  };
  /** Completes the first step of a login; resolves with what the second needs. */
  const enterPassword = async (credentials = SUPERADMIN) => {
    const outcome = await logInWithPassword(credentials);
    if (!outcome.ok || !outcome.login.needsCode) throw new Error("no code was asked for");
    return outcome.login;
  };
  const logIn = async (code: string, address = origin.address) =>
    accounts.enterCode(await enterPassword(), code, { ...origin, address });
  return { ...parts, who, secondFactor, codeFor, turnOn, enterPassword, logIn };
}

/** Inserts an account that nobody can log in to; resolves with its id. */
export async function insertAccount(
  database: Database,
  { id = newId(), email, role = "admin" }: { id?: string; email: string; role?: AccountsTable["role"] },
): Promise<string> {
  const account = {
    id,
    email,
    full_name: email,
    role,
    password_hash: "x",
    password_is_temporary: 0,
    password_expires_at: null,
    created_at: 1,
    last_login_at: null,
  } as const;
  await database.write((trx) => trx.insertInto("accounts").values(account).execute());
  return id;
}

export function findAccount(database: Database, email: string) {
  return database.read.selectFrom("accounts").selectAll().where("email", "=", email).executeTakeFirst();
}

/** Reads the audit entries, oldest first. */
export function readAudit(database: Database) {
  return database.read
    .selectFrom("audit")
    .select(["actor", "action", "subject", "outcome", "network", "request_id"])
    .orderBy("id")
    .execute();
}
