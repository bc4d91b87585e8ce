import { randomBytes, randomUUID } from "node:crypto";
import { days, hours, minutes } from "~/lib/durations";
import { paths } from "~/paths";
import { between } from "~/lib/random";
import { shortenAddress } from "~/lib/network-address";
import { composeInvitationEmail } from "~/emails/compose-transactional";
import { composeAlertTestEmail } from "~/emails/alert-email";
import { createAccounts } from "~/services/accounts/accounts.server";
import { getPasswordFingerprint } from "~/services/accounts/password-fingerprint";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createAlerts } from "~/services/alerts/alerts.server";
import { createApiTokens } from "~/services/api-tokens/api-tokens.server";
import { createInvitations } from "~/services/invitations/invitations.server";
import { createDenialAudit, type RequestOrigin } from "~/services/audit/audit.server";
import { createTestEmailKind } from "~/services/outreach/sample-email.server";
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import { createSessions, type SignedIn, type VerifiedAccount } from "~/services/sessions/sessions.server";
import { createVisits } from "~/services/visits/visits.server";
import { createAddress } from "./people";
import { createSavedViews } from "~/services/views/saved-views.server";
import { FIRST_ADMIN, onDay, type PastEvent, type PastTools } from "./past";

const BROWSERS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
];
const ADMINS = [
  { email: "mara.lindqvist@example.com", fullName: "Mara Lindqvist", daysAgo: 88 },
  { email: "theo.marchetti@example.com", fullName: "Theo Marchetti", daysAgo: 61 },
  { email: "aiko.brandt@example.org", fullName: "Aiko Brandt", daysAgo: 33 },
];
/** An admin who was added 60 days ago logged in 30, 20, 15 and 12 days ago. */
const WORKDAY_DIVISORS = [2, 3, 4, 5];
const NEWCOMER = { email: "new.colleague@example.org", fullName: "Nia New" };

const INVITED = { email: "ivo.invited@example.org", fullName: "Ivo Invited" };

/**
 * Seeds accounts, an invitation, logins and denials, open sessions, a visit, API tokens, saved views, and the
 * superadmin's alerts. Passwords are random and shown to nobody: the superadmin sets new ones.
 */
export function createAccountEvents(
  tools: PastTools,
  { hasher, superadmin }: { hasher: PasswordHasher; superadmin: string },
): PastEvent[] {
  const { database, clock, newId, random, now } = tools;
  // Random passwords are never too short or too common.
  const passwordPolicy = { minLength: 6, maxLength: 1000, findProblem: () => undefined };
  const box = createSecretBox(tools.secrets.session);
  const accounts = createAccounts({ ...tools, hasher, passwordPolicy, box });
  const users = createUserManagement({ ...tools, hasher, protectedAccounts: [] });
  const sessions = createSessions(tools);
  const visits = createVisits(tools);
  const apiTokens = createApiTokens({ ...tools, randomBytes });
  const auditDenial = createDenialAudit(tools);
  const emails = { send: () => Promise.reject(new Error("The seed sends nothing")) };
  const invitations = createInvitations({
    ...tools,
    hasher,
    passwordPolicy,
    randomBytes,
    emails,
    sender: { name: "", address: "" },
    compose: (email) => composeInvitationEmail({ ...email, brandName: "" }),
    toUrl: (token) => token,
  });
  const alerts = createAlerts({
    ...tools,
    emails,
    testKind: createTestEmailKind(tools),
    sender: { name: "", address: "" },
    composeTest: (email) => composeAlertTestEmail({ ...email, brandName: "", alertsUrl: "" }),
  });
  const passwords = new Map<string, string>();
  const addresses = new Map<string, string>();

  return [
    ...ADMINS.flatMap(({ daysAgo, ...person }) => [
      { at: onDay(now, daysAgo), do: () => add(person) },
      { at: onDay(now, daysAgo) + hours(2), do: () => choosePassword(person.email) },
      ...WORKDAY_DIVISORS.flatMap((divisor) =>
        createWorkday(person.email, Math.max(1, Math.floor(daysAgo / divisor))),
      ),
    ]),
    { at: now - hours(5), do: () => add(NEWCOMER) },
    { at: now - hours(4), do: invite },
    { at: onDay(now, 26), do: () => failLogins(FIRST_ADMIN, 2) },
    { at: onDay(now, 9), do: () => failLogins("nobody.here@example.org", 4) },
    { at: onDay(now, 3), do: deny },
    ...createTokenEvents(),
    ...createViewEvents(),
    { at: now - hours(15), do: async () => visits.look((await getSignedIn(superadmin)).accountId) },
    { at: now - minutes(26), do: () => logIn(FIRST_ADMIN) },
    { at: now - minutes(22), do: () => startOpenSession(superadmin, BROWSERS[0]) },
    { at: now - minutes(9), do: () => startOpenSession(superadmin, BROWSERS[1]) },
    // Last, so that nothing of the past is told when the server starts.
    { at: now, do: chooseAlerts },
  ];

  function createTokenEvents(): PastEvent[] {
    const tokens = new Map<string, string>();
    const create = async (
      name: string,
      scopes: Parameters<typeof apiTokens.create>[1]["scopes"],
      lifetime?: number,
    ) => {
      const expiresAt = lifetime === undefined ? undefined : clock() + lifetime;
      const operator = await getSignedIn(superadmin);
      const outcome = await apiTokens.create(operator, { name, scopes, expiresAt }, origin());
      if (outcome.ok) tokens.set(name, outcome.token);
    };
    const use = (name: string, program: string) => apiTokens.authenticate(tokens.get(name), origin(program));
    return [
      { at: onDay(now, 50), do: () => create("Nightly report", ["logs:read", "resources:read"]) },
      { at: onDay(now, 35), do: () => create("Trade fair tablet", ["signups:write"], days(7)) },
      { at: onDay(now, 28), do: () => create("Old integration", ["email:send"]) },
      {
        at: onDay(now, 12),
        do: () => create("Release pipeline", ["broadcast:send", "tenants:read"], days(90)),
      },
      { at: onDay(now, 2), do: () => use("Release pipeline", "a pipeline") },
      { at: now - hours(7), do: () => use("Nightly report", "a report") },
      { at: onDay(now, 14), do: () => revoke("Old integration") },
      { at: onDay(now, 13), do: () => use("Old integration", "an integration") },
    ];
  }

  function createViewEvents(): PastEvent[] {
    const views = createSavedViews(tools);
    const save = async (email: string, view: Parameters<typeof views.save>[0]) => {
      const saved = await views.save(view, await getSignedIn(email), { by: email, ...origin(email) });
      if (!saved.ok) throw new Error(`No view could be saved: ${saved.error}`);
    };
    const inquiries = paths.submissionTable("contact-form");
    return [
      {
        at: onDay(now, 30),
        do: () =>
          save("mara.lindqvist@example.com", {
            list: inquiries,
            name: "Oldest open inquiries",
            query: "status=open&order=asc",
            isShared: true,
          }),
      },
      {
        at: onDay(now, 21),
        do: () =>
          save(superadmin, {
            list: paths.people,
            name: "Developers on the waiting list",
            query: "form=early-access&role=developer",
            isShared: true,
          }),
      },
      {
        at: onDay(now, 6),
        do: () =>
          save(superadmin, {
            list: paths.logs,
            name: "Errors",
            query: "view=time&level=ERROR",
            isShared: false,
          }),
      },
    ];
  }

  async function revoke(name: string): Promise<void> {
    const operator = await getSignedIn(superadmin);
    const tokens = await apiTokens.list(operator, { limit: 50 });
    const token = tokens.find((one) => one.name === name);
    if (token) await apiTokens.revoke(operator, token.id, origin());
  }

  async function add(person: { email: string; fullName: string }): Promise<void> {
    const added = await users.addAccount(await getSignedIn(superadmin), person, origin());
    if (added.ok) passwords.set(person.email, added.temporaryPassword);
  }

  /** Invites somebody by a link that nobody has: the list offers a new one. */
  async function invite(): Promise<void> {
    await invitations.invite(await getSignedIn(superadmin), { ...INVITED, isEmailed: false }, origin());
  }

  async function chooseAlerts(): Promise<void> {
    const choices = {
      inquiry: "at-once",
      campaign: "at-once",
      incident: "daily",
      summary: "daily",
      hour: 8,
    } as const;
    await alerts.choose(await getSignedIn(superadmin), choices, origin());
  }

  async function choosePassword(email: string): Promise<void> {
    const sessionId = await logIn(email);
    const [current = "", next] = [passwords.get(email), randomUUID()];
    const changed = await accounts.changePassword(await getSignedIn(email), { current, next }, origin(email));
    if (!changed.ok) throw new Error(`No password could be chosen: ${changed.error}`);
    passwords.set(email, next);
    await logOut(email, sessionId);
  }

  /** Creates a login and a logout an hour or two later. */
  function createWorkday(email: string, daysAgo: number): PastEvent[] {
    const loginAt = onDay(now, daysAgo) + minutes(between(random, 0, 200));
    let sessionId = "";
    return [
      { at: loginAt, do: async () => (sessionId = await logIn(email)) },
      { at: loginAt + minutes(between(random, 20, 120)), do: () => logOut(email, sessionId) },
    ];
  }

  /** Starts a session; resolves with its id. */
  async function logIn(email: string): Promise<string> {
    const outcome = await accounts.logIn({ email, password: passwords.get(email) ?? "" }, origin(email));
    if (!outcome.ok) throw new Error(`Nobody could log in: ${outcome.error}`);
    if (outcome.login.needsCode) throw new Error("Seeded accounts have no second factor");
    const id = await sessions.create({ account: outcome.login, origin: origin(email) });
    if (id === undefined) throw new Error(`The account of ${email} has changed`);
    return id;
  }

  async function logOut(email: string, sessionId: string): Promise<void> {
    await sessions.recordLogout({ email }, origin(email));
    await sessions.remove(sessionId);
  }

  async function failLogins(email: string, times: number): Promise<void> {
    for (let time = 0; time < times; time++)
      await accounts.logIn({ email, password: "not this one" }, origin("a stranger"));
  }

  async function deny(): Promise<void> {
    const { accountId, email } = await getSignedIn("theo.marchetti@example.com");
    await auditDenial({ accountId, email }, "/admin/users", origin(email));
  }

  /** Starts a session that stays open. */
  async function startOpenSession(email: string, userAgent = ""): Promise<void> {
    const { id, password_hash } = await database.write((trx) =>
      trx
        .updateTable("accounts")
        .set({ last_login_at: clock() })
        .where("email", "=", email)
        .returning(["id", "password_hash"])
        .executeTakeFirstOrThrow(),
    );
    const passwordFingerprint = getPasswordFingerprint(password_hash);
    const account: VerifiedAccount = { needsCode: false, accountId: id, email, passwordFingerprint };
    await sessions.create({ account, origin: { ...origin(email), userAgent } });
  }

  async function getSignedIn(email: string): Promise<SignedIn> {
    const account = await database.read
      .selectFrom("accounts")
      .select(["id", "email", "full_name", "role"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    return {
      sessionHandle: "",
      accountId: account.id,
      email: account.email,
      fullName: account.full_name,
      role: account.role,
      passwordIsTemporary: false,
      hasSecondFactor: false,
      timeZone: "UTC",
      hasChosenTimeZone: false,
    };
  }

  /** Returns the origin of a request; each person has one address. */
  function origin(email = superadmin): RequestOrigin {
    const address = addresses.get(email) ?? createAddress(random);
    addresses.set(email, address);
    return { address, network: shortenAddress(address), requestId: newId(), userAgent: BROWSERS[0] ?? "" };
  }
}
