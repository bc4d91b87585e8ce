import { formPost, logIn, SUPERADMIN } from "../server-process";
import type { ServerProcess } from "../server-process";
import { rowsOf, someone } from "./visitors";

/** The people of the back office, as tests of the running product make them: through its own forms. */

export const OWN_PASSWORD = "a password of my own";

/** Adds a user in User Management; resolves with the temporary password the answer shows. */
export async function addUser(server: ServerProcess, superadmin: string, email: string): Promise<string> {
  const fields = { intent: "add", email, fullName: "Ada Byron" };
  const answer = await server.fetch("/admin/users", formPost(fields, { Cookie: superadmin }));
  const password = passwordIn(await answer.text());
  if (answer.status !== 200 || !password) throw new Error(`Adding a user answered ${answer.status}`);
  return password;
}

/** The temporary password a page shows, if it shows one. */
export function passwordIn(html: string): string | undefined {
  return /<code[^>]*>([^<]{8}A1!)<\/code>/.exec(html)?.[1];
}

/** Logs somebody in; resolves with the Cookie header of the session. */
export async function logInAs(server: ServerProcess, email: string, password: string): Promise<string> {
  const answer = await server.fetch("/login", formPost({ email, password }, someone()));
  if (answer.status !== 303) throw new Error(`Login answered ${answer.status}`);
  return cookieOf(answer);
}

/** Adds an admin who has chosen a password of their own; resolves with the Cookie header of their session. */
export async function becomeAdmin(server: ServerProcess, superadmin: string, email: string): Promise<string> {
  const current = await addUser(server, superadmin, email);
  const headers = { Cookie: await logInAs(server, email, current), ...someone() };
  const change = { current, next: OWN_PASSWORD, confirm: OWN_PASSWORD };
  return cookieOf(await server.fetch("/admin/password-reset", formPost(change, headers)));
}

export const superadminOf = (server: ServerProcess) => logIn(server, SUPERADMIN.password, someone());

export function idOf(server: ServerProcess, email: string): string {
  return String(rowsOf(server, "select id from accounts where email = ?", email)[0]?.id);
}

function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
