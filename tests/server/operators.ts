import { generateSync } from "otplib";
import { paths } from "~/paths";
import { formPost, SUPERADMIN, type ServerProcess } from "../server-process";
import { createSession, type Session } from "./session";
import { readRows, someone } from "./visitors";

/** Creates the people of the back office through the product's own forms. */

export const OWN_PASSWORD = "a password of my own";

/** Adds a user in User Management; resolves with the temporary password that the response shows. */
export async function addUser(server: ServerProcess, superadmin: string, email: string): Promise<string> {
  const fields = { intent: "add", email, fullName: "Ada Byron" };
  const answer = await server.fetch("/admin/users", formPost(fields, { Cookie: superadmin }));
  const password = passwordIn(await answer.text());
  if (answer.status !== 200 || !password) throw new Error(`Adding a user answered ${answer.status}`);
  return password;
}

/** Finds the temporary password that a page shows. */
export function passwordIn(html: string): string | undefined {
  return /<code[^>]*>([^<]{8}A1!)<\/code>/.exec(html)?.[1];
}

/** Logs somebody in; resolves with the Cookie header of the session. */
export async function logInAs(server: ServerProcess, email: string, password: string): Promise<string> {
  const answer = await server.fetch("/login", formPost({ email, password }, someone()));
  if (answer.status !== 303) throw new Error(`Login answered ${answer.status}`);
  return getCookie(answer);
}

/** Adds an admin who has chosen a password of their own; resolves with their session. */
export async function becomeAdmin(
  server: ServerProcess,
  superadmin: string,
  email: string,
): Promise<Session> {
  const current = await addUser(server, superadmin, email);
  const headers = { Cookie: await logInAs(server, email, current), ...someone() };
  const change = { currentPassword: current, newPassword: OWN_PASSWORD, confirmPassword: OWN_PASSWORD };
  const cookie = getCookie(await server.fetch("/admin/password-reset", formPost(change, headers)));
  return createSession(server, () => cookie);
}

export function getAccountId(server: ServerProcess, email: string): string {
  return String(readRows(server, "select id from accounts where email = ?", email)[0]?.id);
}

/** Returns the cookie that a response sets, as a Cookie header sends it back. */
export function getCookie(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Returns the opaque id in a session's cookie: Remix keeps it as base64 of JSON, then a dot and the signature. */
export function getSessionId(cookie: string): string {
  const [, value = ""] = /sid=([^;]*)/.exec(cookie) ?? [];
  const [payload = ""] = decodeURIComponent(value).split(".");
  return String(JSON.parse(Buffer.from(payload, "base64").toString()));
}

export const getRedirect = ({ status, headers }: Response) => [status, headers.get("Location")];

/** Presses a button of the page of the second factor. */
export const postSecondFactor = (server: ServerProcess, cookie: string, fields: Record<string, string>) =>
  server.fetch(paths.secondFactor, formPost(fields, { Cookie: cookie, ...someone() }));

/** Sets up a person's second factor; resolves with what the pages showed. Uses up the current code. */
export async function turnOnSecondFactor(
  server: ServerProcess,
  cookie: string,
  password = SUPERADMIN.password,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await postSecondFactor(server, cookie, { intent: "begin", password });
  const page = await server.fetch(paths.secondFactor, { headers: { Cookie: cookie } });
  const secret = findSecret(await page.text());
  if (!secret) throw new Error(`Setting it up answered ${page.status}`);
  const answer = await postSecondFactor(server, cookie, {
    intent: "confirm",
    code: generateSync({ secret }),
  });
  const recoveryCodes = findRecoveryCodes(await answer.text());
  if (recoveryCodes.length !== 10) throw new Error(`Turning it on answered ${answer.status}`);
  return { secret, recoveryCodes };
}

/** Finds the key that a page shows in fours. */
export function findSecret(html: string): string | undefined {
  return /<code[^>]*>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(html)?.[1]?.replaceAll(" ", "");
}

export function findRecoveryCodes(html: string): string[] {
  return [...html.matchAll(/<li[^>]*>((?:[2-9A-Z]{5}-){2}[2-9A-Z]{5})<\/li>/g)].map(([, code = ""]) => code);
}
