import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ask, post } from "../../server/fixtures/raw-http";
import { startSmtpServer } from "../fakes/smtp-server";
import { getConfirmFields } from "../question-fields";
import { formPost, SUPERADMIN } from "../server-process";
import { waitUntil } from "../wait-until";
import {
  addUser,
  getAccountId,
  getCookie,
  getSessionId,
  logInAs,
  passwordIn,
  turnOnSecondFactor,
} from "./operators";
import { makeToken } from "./made-tokens";
import { apiPaths, builtRoutes } from "./route-manifest";
import { databaseFile, dropTable, readRows, signUp, someone } from "./visitors";
import { useServer } from "./use-server";
import { useFixture } from "../fixture";

/** Unique words, which are found wherever they leak to. */
const PASSWORD = "canary-first-password";
const NEW_PASSWORD = "canary-second-password";
const WRONG_PASSWORD = "canary-wrong-password";
const SMTP_LOGIN = { user: "canary-mail-user", pass: "canary/mail:p@ssword" };
const QUERY = "canary-query";
const HEADER = "canary-header";
const CANARY_HEADERS = { "User-Agent": HEADER, Referer: `http://${HEADER}.example/`, "X-Request-Id": HEADER };

const smtp = useFixture(() => startSmtpServer({ auth: SMTP_LOGIN }));
const server = useServer(() => ({ ...smtp.environment, LOG_LEVEL: "debug", SUPERADMIN_PASSWORD: PASSWORD }));
let cookie = "";
let token = "";
/** One that was used to log in, and one that was reissued. */
const temporaryPasswords: string[] = [];
/** API tokens: created, used, and used again after they were revoked. */
const apiTokens: string[] = [];
/** Keys and recovery codes, with and without separators. */
const secondFactors: string[] = [];
/** The content of every page, and of its data, for the superadmin. */
const pages: string[] = [];

const base64 = (text: string) => Buffer.from(text).toString("base64");
const cookies: string[] = [];
const secrets = () => [
  PASSWORD,
  NEW_PASSWORD,
  WRONG_PASSWORD,
  ...temporaryPasswords,
  ...apiTokens,
  ...secondFactors,
  ...cookies,
  token,
  SMTP_LOGIN.pass,
  encodeURIComponent(SMTP_LOGIN.pass),
  base64(SMTP_LOGIN.pass),
  base64(`\0${SMTP_LOGIN.user}\0${SMTP_LOGIN.pass}`),
];

/** Remembers a session's cookie in all its forms: as sent, decoded, and the opaque id in it. */
function remember(answer: Response): string {
  const sent = getCookie(answer);
  const value = decodeURIComponent(sent.slice(sent.indexOf("=") + 1));
  const id = getSessionId(sent);
  expect(id).toHaveLength(43);
  cookies.push(sent.slice(sent.indexOf("=") + 1), value, id);
  return sent;
}

async function read(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await server.fetch(path, { headers: { Cookie: cookie, ...CANARY_HEADERS }, ...init });
  pages.push(await answer.clone().text());
  return answer;
}

const submit = (path: string, fields: Record<string, string>) =>
  read(path, formPost(fields, { Cookie: cookie, ...CANARY_HEADERS, ...someone() }));

beforeAll(() => useEveryFeature());

/** Login, signup, outreach, unsubscribing, a mail server that refuses us, a new password, and every page. */
async function useEveryFeature(): Promise<void> {
  await signUp(server, {}, { ...someone(), ...CANARY_HEADERS });
  await submit(`/login?a=${QUERY}`, { email: SUPERADMIN.email, password: WRONG_PASSWORD });
  cookie = remember(await submit(`/login?a=${QUERY}`, { email: SUPERADMIN.email, password: PASSWORD }));
  const draftFields = { audience: "early-access", title: "Hello", message: "Hello {{name}}" };
  const answer = await submit("/admin/dashboard", { ...draftFields, intent: "send" });
  const draft = /draft=([\w-]+)/.exec(answer.headers.get("Location") ?? "")?.[1] ?? "";
  await submit("/admin/dashboard", await getConfirmFields(server, { Cookie: cookie }, draft));
  await waitUntil(
    () => readRows(server, "select state from campaigns where id = ?", draft)[0]?.state === "finished",
  );
  token = /\/unsubscribe\/([\w.-]+)>/.exec(String(smtp.emails[0]?.raw).replace(/\r\n\s/g, ""))?.[1] ?? "";
  expect(token).not.toBe("");
  const link = `/unsubscribe/${token}`;
  for (const path of [link, `${link}.data`, `${link}/`, link.toUpperCase(), `/${link}`, `/x/..${link}`]) {
    await ask(server.port, `GET ${path}?a=${QUERY}`, CANARY_HEADERS);
    await post(server.port, `${path}?a=${QUERY}`, "List-Unsubscribe=One-Click", CANARY_HEADERS);
  }
  await server.stop();
  const wrongLogin = smtp.url.replace(encodeURIComponent(SMTP_LOGIN.user), "someone-else");
  await server.restart({ SMTP_URL: wrongLogin });
  const failed = await submit("/admin/dashboard", {
    ...draftFields,
    intent: "test",
    testAddress: "a@example.com",
  });
  expect(failed.status).toBe(502);
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
  cookie = remember(await submit(`/admin/password-reset?a=${QUERY}`, change));
  await addUsers();
  await callByToken();
  await useSecondFactor();
  const everyPath = [...builtRoutes().map(({ path }) => path), ...(await apiPaths(server))];
  for (const path of everyPath) for (const each of [path, `${path}.data`]) await read(each);
  for (const each of ["", "?step=cancel", ".data"]) await read(`/admin/outreach/${draft}${each}`);
  await read(`/admin/dashboard?send=${draft}`);
  expect(pages.filter((page) => page.includes("superadmin@example.com")).length).toBeGreaterThan(5);
}

/** Leaves out of `pages` those that show the key and the codes. */
async function useSecondFactor(): Promise<void> {
  const { secret, recoveryCodes } = await turnOnSecondFactor(server, cookie, NEW_PASSWORD);
  const bare = recoveryCodes.map((code) => code.replaceAll("-", ""));
  secondFactors.push(secret, secret.replace(/.{4}(?=.)/g, "$& "), ...recoveryCodes, ...bare);
  const login = await submit(`/login?a=${QUERY}`, { email: SUPERADMIN.email, password: NEW_PASSWORD });
  const pending = getCookie(login);
  cookies.push(pending.slice("login=".length), decodeURIComponent(pending.slice("login=".length)));
  const headers = { Cookie: pending, ...CANARY_HEADERS, ...someone() };
  const code = String(recoveryCodes[0]);
  const answer = await read(`/login/second-factor?a=${QUERY}`, formPost({ code: `${code}X` }, headers));
  expect(answer.status).toBe(422);
  cookie = remember(await read("/login/second-factor", formPost({ code }, headers)));
}

/** Leaves out of `pages` those that show a temporary password, the only ones that may. */
async function addUsers(): Promise<void> {
  const headers = { Cookie: cookie, ...CANARY_HEADERS };
  const added = await addUser(server, cookie, "grace@example.com");
  await logInAs(server, "grace@example.com", added);
  const account = getAccountId(server, "grace@example.com");
  const form = formPost({ intent: "reissue", account }, headers);
  const reissued = passwordIn(await (await server.fetch("/admin/users", form)).text());
  temporaryPasswords.push(added, String(reissued));
  expect(temporaryPasswords).toEqual([expect.stringMatching(/A1!$/), expect.stringMatching(/A1!$/)]);
  await read("/admin/users");
  await read(`/admin/users?step=reissue&account=${account}`);
}

/** Leaves out of `pages` the one that shows a token, the only one that may. */
async function callByToken(): Promise<void> {
  const apiToken = await makeToken(server, cookie, { scopes: ["email:send"] });
  apiTokens.push(apiToken, apiToken.slice(11));
  const call = () =>
    read("/api/Email/send-email", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${apiToken}`, ...CANARY_HEADERS },
      body: JSON.stringify({ ToEmail: "a@example.com", Subject: "Hello", Content: "<p>Hello</p>" }),
    });
  expect((await call()).status).toBe(502);
  const [row] = readRows(server, "select id from api_tokens");
  await read(`/admin/tokens?revoke=${String(row?.id)}`);
  await submit("/admin/tokens", { intent: "revoke", token: String(row?.id) });
  expect((await call()).status).toBe(401);
  await read("/admin/tokens");
  await read("/admin/activity");
}

const findIn = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.includes(secret));

// C24
describe("secrets", () => {
  it("are not in the log at level debug, nor are queries and headers of visitors", () => {
    const log = server.output();
    expect(log).toContain('"path":"/unsubscribe/:token"');
    expect(findIn(log, [...secrets(), QUERY, HEADER])).toEqual([]);
    expect(log.toLowerCase()).not.toContain(token.toLowerCase());
  });

  it("are in no page and no data of a page", () => {
    expect(findIn(pages.join("\n"), secrets())).toEqual([]);
    expect(pages.join("\n")).not.toMatch(/smtps?:\/\//);
  });

  it("are not in the database file, nor are queries", () => {
    const files = [databaseFile(server), `${databaseFile(server)}-wal`].filter((file) => existsSync(file));
    const bytes = files.map((file) => readFileSync(file, "latin1")).join("\n");
    expect(bytes).toContain("ada@example.com");
    expect(findIn(bytes, [...secrets(), QUERY])).toEqual([]);
  });

  it("are not in the log of an unexpected error", async () => {
    dropTable(server, "suppressions");
    const answer = await post(server.port, `/unsubscribe/${token}`, "List-Unsubscribe=One-Click");
    expect(answer.status).toBe(500);
    await waitUntil(() => server.output().includes("no such table: suppressions"));
    expect(findIn(server.output(), [token])).toEqual([]);
  });
});
