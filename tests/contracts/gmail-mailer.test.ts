import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import type { GoogleCredential } from "~/services/google/google-credential.server";
import { GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import { GmailMailer } from "~/services/mail/drivers/gmail-mailer.server";
import { useCleanups } from "../cleanups";
import { mail } from "../factories/mail";
import { describeMailer } from "../factories/mailer-battery";
import { openTestAccount, createCredential } from "../factories/google-workspace";
import { gmailError } from "../fakes/google-errors";
import { TOKENS } from "../fakes/google-oauth";
import { GMAIL, startWorkspace } from "../fakes/google-workspace";
import type { RequestFailure, Workspace } from "../fakes/google-workspace";
import { createSelfSigned } from "../fakes/self-signed";

const later = useCleanups();

const TODAY = Date.UTC(2026, 0, 2, 23, 59);

/** Gmail reads the recipients from the message itself. */
async function gmailRig({
  timeoutMs,
  ...as
}: { timeoutMs?: number; ca?: string; credentialFor?: (google: Workspace) => GoogleCredential } = {}) {
  const google = await startWorkspace();
  later(google.close);
  const credential = (as.credentialFor ?? createCredential.login)(google);
  const different = { ...(timeoutMs && { timeoutMs }), ...(as.ca && { ca: as.ca }) };
  const account = openTestAccount(google, credential, "gmail", different);
  const mailer = new GmailMailer({ account, clock: () => TODAY });
  later(() => mailer.close());
  const arrived = () =>
    Promise.all(
      google.mails.map(async ({ raw }) => {
        const { to = [], cc = [], bcc = [] } = await PostalMime.parse(raw);
        return { raw, recipients: [...to, ...cc, ...bcc].map(({ address = "" }) => address) };
      }),
    );
  return { google, mailer, arrived };
}

describeMailer("GmailMailer (C18, C19)", gmailRig);

describe("GmailMailer", () => {
  it("asks for one access token and sends in the name of who logged in", async () => {
    const { mailer, google } = await gmailRig();
    const outcomes = await Promise.all([mailer.send(mail()), mailer.send(mail())]);
    expect(outcomes.map(({ detail }) => detail).sort()).toEqual([
      "Gmail keeps it as 18f1",
      "Gmail keeps it as 18f2",
    ]);
    expect(google.mails.map(({ who }) => who)).toEqual([google.operator, google.operator]);
    expect(google.requests.filter((each) => each.includes(TOKENS))).toHaveLength(1);
  });

  it("sends from the mailbox of GMAIL_USER when the Workspace lets the service account", async () => {
    const credentialFor = (google: Workspace) =>
      createCredential["service-account"](google, "team@example.test");
    const { mailer, google } = await gmailRig({ credentialFor });
    google.delegations.set("team@example.test", [GOOGLE_SCOPES.gmail]);
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
    expect(google.mails[0]?.who).toBe("team@example.test");
  });

  it("does not know what it handed over: that would need the right to read the mailbox", async () => {
    const { mailer } = await gmailRig();
    expect(await mailer.knows()).toBeUndefined();
  });

  const usage = "User-rate limit exceeded.  Retry after 2026-01-03T10:00:00.000Z";
  it.each<[string, RequestFailure, object]>([
    ["429", gmailError(429, "rateLimitExceeded", usage), { kind: "unreachable", detail: /^User-rate limit/ }],
    ["403 userRateLimitExceeded", gmailError(403, "userRateLimitExceeded"), { kind: "unreachable" }],
    ["403 dailyLimitExceeded", gmailError(403, "dailyLimitExceeded", "Daily Limit"), { kind: "unreachable" }],
    ["500", gmailError(500, "backendError"), { kind: "unreachable", detail: /^Words of Gmail$/ }],
    ["503 of a proxy", { status: 503, body: "<html>" }, { kind: "unreachable" }],
    [
      "400",
      gmailError(400, "invalidArgument", "Invalid To header"),
      { kind: "refused", code: 400, detail: /^Invalid To/ },
    ],
    ["413", gmailError(413, "uploadTooLarge"), { kind: "refused", code: 413 }],
    [
      "an account without Gmail",
      gmailError(400, "failedPrecondition", "Mail service not enabled"),
      { kind: "unauthorized", detail: /has no Gmail/ },
    ],
    ["401", gmailError(401, "authError", "Invalid Credentials"), { kind: "unauthorized", detail: /login/ }],
    [
      "403 insufficientPermissions",
      gmailError(403, "insufficientPermissions"),
      { kind: "unauthorized", detail: /no right to sending mail\. Run npm run google -- login gmail/ },
    ],
    [
      "403 accessNotConfigured",
      gmailError(403, "accessNotConfigured"),
      { kind: "unauthorized", detail: /The Gmail API is not enabled/ },
    ],
    [
      "403 domainPolicy",
      gmailError(403, "domainPolicy"),
      { kind: "unauthorized", detail: /refuses us access/ },
    ],
    [
      "a redirect",
      { status: 302, headers: { Location: "http://169.254.169.254/" } },
      { kind: "unauthorized" },
    ],
    ["a cut without an answer", "drop", { kind: "unknown" }],
    ["a cut after it was sent", { appliedThen: "drop" }, { kind: "unknown" }],
    ["silence after it was sent", { appliedThen: "silent" }, { kind: "unknown", detail: /took too long/ }],
    ["a page of somebody else's", { status: 200, body: "<html>" }, { kind: "unknown" }],
  ])("sorts %s, after one request (R9, R32, C22)", async (_what, mishap, { ...expected }) => {
    const { mailer, google } = await gmailRig({ timeoutMs: 500 });
    google.failNext("send", mishap);
    const words = (expected as { detail?: RegExp }).detail;
    expect(await mailer.send(mail())).toMatchObject({
      ...expected,
      ...(words && { detail: expect.stringMatching(words) }),
    });
    expect(google.requests.filter((each) => each.includes("messages/send"))).toHaveLength(1);
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it.each<[string, (google: Workspace) => GoogleCredential, (google: Workspace) => void, RegExp]>([
    [
      "a login that was revoked",
      createCredential.login,
      (google) => google.refreshTokens.clear(),
      /^Google no longer accepts the login\. Run npm run google -- login and restart the server\. Google says: invalid_grant/,
    ],
    [
      "a user who is none",
      (google) => createCredential["service-account"](google, "nobody@example.test"),
      () => undefined,
      /^nobody@example\.test \(GMAIL_USER\) is no user of the Workspace/,
    ],
    [
      "a delegation that lacks our scope",
      (google) => createCredential["service-account"](google, "team@example.test"),
      (google) => google.delegations.set("team@example.test", []),
      /may not act for team@example\.test: .* with the scope https:\/\/www\.googleapis\.com\/auth\/gmail\.send/,
    ],
  ])("is unauthorized by %s, in words that say what to do", async (_what, credentialFor, arrange, words) => {
    const { mailer, google } = await gmailRig({ credentialFor });
    arrange(google);
    expect(await mailer.send(mail())).toMatchObject({
      kind: "unauthorized",
      detail: expect.stringMatching(words),
    });
    expect(google.mails).toEqual([]);
  });

  it("is unreachable while Google, or who gives access tokens, is away, and hands nothing over", async () => {
    const { mailer, google } = await gmailRig({ ca: createSelfSigned(GMAIL, TOKENS).cert });
    expect(await mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    const other = await gmailRig({ timeoutMs: 300 });
    for (const how of ["drop", "silent"] as const) {
      other.google.setResponse(TOKENS, how);
      expect(await other.mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    }
    expect([...google.mails, ...other.google.mails]).toEqual([]);
  });
});
