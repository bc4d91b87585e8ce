import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { GOOGLE_SCOPES, type GoogleCredential } from "~/services/google/google-credential.server";
import { GmailMailer } from "~/services/mail/drivers/gmail-mailer.server";
import { removeAfterTest } from "../fixture";
import { createEmail } from "../factories/email";
import { describeMailer } from "../factories/mailer-battery";
import { openTestAccount, createCredential } from "../factories/google-workspace";
import { gmailError } from "../fakes/google-errors";
import { TOKENS } from "../fakes/google-oauth";
import { GMAIL, startWorkspace, type RequestFailure, type Workspace } from "../fakes/google-workspace";
import { createManualTimers } from "../factories/time";
import { createSelfSigned } from "../fakes/self-signed";

const TODAY = Date.UTC(2026, 0, 2, 23, 59);

/** Creates a mailer on a Gmail that reads the recipients from the message itself. */
async function setUp({
  credentialFor = createCredential.login,
  setTimer,
  ...transport
}: {
  timeoutMs?: number;
  ca?: string;
  credentialFor?: (google: Workspace) => GoogleCredential;
  setTimer?: SetTimer;
} = {}) {
  const google = removeAfterTest(await startWorkspace());
  const account = openTestAccount(google, credentialFor(google), "gmail", transport);
  const mailer = removeAfterTest(
    new GmailMailer({ account, clock: () => TODAY, ...(setTimer && { setTimer }) }),
  );
  const arrived = () =>
    Promise.all(
      google.emails.map(async ({ raw }) => {
        const { to = [], cc = [], bcc = [] } = await PostalMime.parse(raw);
        return { raw, recipients: [...to, ...cc, ...bcc].map(({ address = "" }) => address) };
      }),
    );
  return { google, mailer, arrived };
}

// C18, C19
describeMailer("GmailMailer", setUp);

describe("GmailMailer", () => {
  it("requests one access token and sends from the mailbox of the login", async () => {
    const { mailer, google } = await setUp();
    const outcomes = await Promise.all([mailer.send(createEmail()), mailer.send(createEmail())]);
    expect(outcomes.map(({ detail }) => detail).sort()).toEqual([
      "Gmail keeps it as 18f1",
      "Gmail keeps it as 18f2",
    ]);
    expect(google.emails.map(({ who }) => who)).toEqual([google.operator, google.operator]);
    expect(google.requests.filter((each) => each.includes(TOKENS))).toHaveLength(1);
  });

  it("sends from the mailbox of GMAIL_USER by a delegation of the Workspace", async () => {
    const credentialFor = (google: Workspace) =>
      createCredential["service-account"](google, "team@example.test");
    const { mailer, google } = await setUp({ credentialFor });
    google.delegations.set("team@example.test", [GOOGLE_SCOPES.gmail]);
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
    expect(google.emails[0]?.who).toBe("team@example.test");
  });

  it("cannot look up sent emails, which needs the right to read the mailbox", async () => {
    const { mailer } = await setUp();
    expect(await mailer.knows()).toBeUndefined();
  });

  const usage = "User-rate limit exceeded.  Retry after 2026-01-03T10:00:00.000Z";
  const withoutGmail = gmailError(400, "failedPrecondition", "Mail service not enabled");
  const notConfigured = gmailError(403, "accessNotConfigured");
  // R9, R32, C22
  it.each<[string, RequestFailure, string, RegExp?]>([
    ["429", gmailError(429, "rateLimitExceeded", usage), "unreachable", /^User-rate limit/],
    ["403 userRateLimitExceeded", gmailError(403, "userRateLimitExceeded"), "unreachable"],
    ["403 dailyLimitExceeded", gmailError(403, "dailyLimitExceeded", "Daily Limit"), "unreachable"],
    ["500", gmailError(500, "backendError"), "unreachable", /^Words of Gmail$/],
    ["a proxy's 503", { status: 503, body: "<html>" }, "unreachable"],
    ["a gateway's 502", { status: 502, body: "<html>" }, "unknown", /^status 502 without a reason$/],
    ["504 after it was sent", { appliedThen: { status: 504, body: "<html>" } }, "unknown"],
    ["400", gmailError(400, "invalidArgument", "Invalid To header"), "refused", /^Invalid To/],
    ["413", gmailError(413, "uploadTooLarge"), "refused"],
    ["an account without Gmail", withoutGmail, "unauthorized", /has no Gmail/],
    ["401", gmailError(401, "authError", "Invalid Credentials"), "unauthorized", /login/],
    [
      "403 insufficientPermissions",
      gmailError(403, "insufficientPermissions"),
      "unauthorized",
      /not grant permission to send emails\. Run npm run google -- login gmail/,
    ],
    ["403 accessNotConfigured", notConfigured, "unauthorized", /The Gmail API is not enabled/],
    ["403 domainPolicy", gmailError(403, "domainPolicy"), "unauthorized", /denied access/],
    ["a redirect", { status: 302, headers: { Location: "http://169.254.169.254/" } }, "unauthorized"],
    ["a connection cut before a response", "drop", "unknown"],
    ["a connection cut after it was sent", { appliedThen: "drop" }, "unknown"],
    ["no response after it was sent", { appliedThen: "silent" }, "unknown", /took too long/],
    ["a page that is not Gmail's", { status: 200, body: "<html>" }, "unknown"],
  ])("interprets %s after one request", async (_what, failure, kind, detail = /^/) => {
    const { mailer, google } = await setUp({ timeoutMs: 500 });
    google.failNext("send", failure);
    const outcome = await mailer.send(createEmail());
    expect(outcome).toMatchObject({ kind, detail: expect.stringMatching(detail) });
    if (outcome.kind === "refused") expect(failure).toMatchObject({ status: outcome.code });
    expect(google.requests.filter((request) => request.includes("messages/send"))).toHaveLength(1);
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
  });

  it.each<[string, (google: Workspace) => GoogleCredential, (google: Workspace) => void, RegExp]>([
    [
      "an unknown user",
      (google) => createCredential["service-account"](google, "nobody@example.test"),
      () => undefined,
      /^nobody@example\.test \(GMAIL_USER\) is not a user of the Workspace/,
    ],
    [
      "a delegation without our scope",
      (google) => createCredential["service-account"](google, "team@example.test"),
      (google) => google.delegations.set("team@example.test", []),
      /may not act for team@example\.test: .* with the scope https:\/\/www\.googleapis\.com\/auth\/gmail\.send/,
    ],
  ])("is unauthorized by %s, with what to do about it", async (_what, credentialFor, arrange, words) => {
    const { mailer, google } = await setUp({ credentialFor });
    arrange(google);
    const outcome = await mailer.send(createEmail());
    expect(outcome).toMatchObject({ kind: "unauthorized", detail: expect.stringMatching(words) });
    expect(google.emails).toEqual([]);
  });

  // R21
  it("gives emails in flight a second when it is closed", async () => {
    const { setTimer, forward } = createManualTimers();
    const { mailer, google } = await setUp({ setTimer });
    google.failNext("send", { appliedThen: "silent" });
    const sending = mailer.send(createEmail());
    await expect.poll(() => google.emails.length).toBe(1);
    const closing = mailer.close();
    forward(seconds(1));
    await closing;
    const detail = expect.not.stringContaining("took too long") as string;
    expect(await sending).toMatchObject({ kind: "unknown", detail });
  });

  it("is unreachable without a connection to Gmail or without an access token", async () => {
    const { mailer, google } = await setUp({ ca: createSelfSigned(GMAIL, TOKENS).cert });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    const other = await setUp({ timeoutMs: 300 });
    for (const how of ["drop", "silent"] as const) {
      other.google.setResponse(TOKENS, how);
      expect(await other.mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    }
    for (const status of [502, 504]) {
      other.google.setResponse(TOKENS, { status, body: "<html>" });
      expect(await other.mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    }
    expect([...google.emails, ...other.google.emails]).toEqual([]);
  });
});
