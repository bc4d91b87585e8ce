import SqliteFile from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { formPost } from "../server-process";
import type { ServerProcess } from "../server-process";
import { addUser, becomeAdmin, logInAs, superadminOf } from "./operators";
import { builtRoutes } from "./route-manifest";
import { sharedServer } from "./shared-server";
import { databaseFile, someone } from "./visitors";

/** Who opens what (specification, section 6), asked of every route of the build in all four ways (C9). */

type Person = "nobody" | "removed" | "newcomer" | "admin" | "demoted" | "superadmin";
type Gate = "login" | "password" | "unauthorized" | "open";

const SUPERADMIN_ONLY = ["routes/admin.users"];
const FRAME = "routes/admin";
/** What a newcomer needs to get a password of their own: the frame, its look, the form. */
const ANY_PASSWORD = [FRAME, "routes/admin.appearance", "routes/admin.password-reset"];

function gateFor(person: Person, routeId: string): Gate {
  if (person === "nobody" || person === "removed") return "login";
  if (person === "newcomer") return ANY_PASSWORD.includes(routeId) ? "open" : "password";
  return SUPERADMIN_ONLY.includes(routeId) && person !== "superadmin" ? "unauthorized" : "open";
}

const GATES: Record<Exclude<Gate, "open">, RegExp> = {
  // What a person sends whose session is over is passed on, to be kept for after the login.
  login: /^\/login(?:\/session-ended)?\?redirectTo=/,
  password: /^\/admin\/password-reset\?redirectTo=/,
  unauthorized: /^\/unauthorized$/,
};

let server: ServerProcess;
const cookies = new Map<Person, string>();
beforeAll(async () => {
  server = await sharedServer();
  const superadmin = await superadminOf(server);
  const admin = (email: string) => becomeAdmin(server, superadmin, email);
  const newcomer = "newcomer@example.com";
  cookies.set("superadmin", superadmin);
  cookies.set("admin", await admin("admin@example.com"));
  cookies.set("newcomer", await logInAs(server, newcomer, await addUser(server, superadmin, newcomer)));
  cookies.set("removed", await admin("removed@example.com"));
  cookies.set("demoted", await admin("demoted@example.com"));
  change("update accounts set role = 'superadmin' where email = 'demoted@example.com'");
  // Both had their session when this happened.
  change("update accounts set role = 'admin' where email = 'demoted@example.com'");
  change("delete from accounts where email = 'removed@example.com'");
});

function change(statement: string): void {
  const file = new SqliteFile(databaseFile(server));
  file.pragma("foreign_keys = ON");
  file.exec(statement);
  file.close();
}

const guarded = builtRoutes().filter(({ path }) => path === "/admin" || path.startsWith("/admin/"));
const alone = (id: string) => `.data?_routes=${encodeURIComponent(id)}`;
/** Nothing any action knows: whoever gets in is told so, and nothing happens. */
const attempted = (cookie: string) =>
  formPost({ intent: "no-such-action" }, { Cookie: cookie, ...someone() });

async function gateOf(answer: Response): Promise<Gate | string> {
  const body = await answer.text();
  if (answer.status >= 500) return `broken: ${answer.status}`;
  // Single fetch says in its body where to go.
  const told = /"redirect","([^"]+)"/.exec(body)?.[1];
  const where = answer.headers.get("Location") ?? (body.includes("SingleFetchRedirect") ? told : undefined);
  const found = Object.entries(GATES).find(([, address]) => where !== undefined && address.test(where));
  if (!found) return "open";
  if (body.includes("@example.com")) return "tells addresses";
  return found[0];
}

describe.each<Person>(["nobody", "removed", "newcomer", "admin", "demoted", "superadmin"])("%s", (person) => {
  const headers = () => ({ headers: { Cookie: cookies.get(person) ?? "" } });

  it.each(guarded)("at $id (C9)", async ({ id, path, hasLoader, hasAction }) => {
    const expected = gateFor(person, id);
    const ways: Record<string, Promise<Response>> = {};
    // The frame has no page of its own: at its address the index stands in it.
    if (id !== FRAME) ways.document = server.fetch(path, headers());
    if (hasLoader) ways.data = server.fetch(path + alone(id), headers());
    if (hasAction) {
      const cookie = cookies.get(person) ?? "";
      ways.action = server.fetch(path, attempted(cookie));
      ways.actionData = server.fetch(`${path}.data`, attempted(cookie));
    }
    const found = await Promise.all(
      Object.entries(ways).map(async ([way, answer]) => [way, await gateOf(await answer)]),
    );
    expect(found).toEqual(Object.keys(ways).map((way) => [way, expected]));
  });
});

it("finds the routes it asks about", () => {
  const ids = guarded.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...SUPERADMIN_ONLY, ...ANY_PASSWORD]));
});
