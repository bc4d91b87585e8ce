import { beforeAll, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { formPost, type ServerProcess } from "../server-process";
import { addUser, becomeAdmin, logInAs, OWN_PASSWORD, turnOnSecondFactor } from "./operators";
import { builtRoutes } from "./route-manifest";
import { execute, someone } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

/** Requests every route of the build in all its ways as each kind of person (specification, section 6). */

const PERSONS = [
  "nobody",
  "removed",
  "between password and code",
  "with a pending login for a session",
  "newcomer",
  "admin",
  "demoted",
  "superadmin",
] as const;
type Person = (typeof PERSONS)[number];
type Gate = "login" | "password" | "second-factor" | "unauthorized" | "open";

const SUPERADMIN_ONLY = ["routes/admin.setup", "routes/admin.users"];
const LAYOUT = "routes/admin";
/** Opens for a person who has yet to choose a password of their own. */
const ANY_PASSWORD = [LAYOUT, "routes/admin.appearance", "routes/admin.password-reset"];

function getExpectedGate(person: Person, routeId: string): Gate {
  if (PERSONS.indexOf(person) < PERSONS.indexOf("newcomer")) return "login";
  if (person === "newcomer") return ANY_PASSWORD.includes(routeId) ? "open" : "password";
  return SUPERADMIN_ONLY.includes(routeId) && person !== "superadmin" ? "unauthorized" : "open";
}

const guarded = builtRoutes().filter(({ path }) => path === "/admin" || path.startsWith("/admin/"));
const posting = builtRoutes().filter((route) => route.hasAction);

/** Requests each guarded route as a document, as data and by its action. */
function sweep(server: ServerProcess, cookie: () => string, getGate: (routeId: string) => Gate): void {
  // C9
  it.each(guarded)("at $id", async ({ id, path, hasLoader, hasAction }) => {
    const headers = { Cookie: cookie() };
    // No action has this intent: whoever is let in changes nothing.
    const post = (to: string) =>
      server.fetch(to, formPost({ intent: "no-such-action" }, { ...headers, ...someone() }));
    const answers: Record<string, Promise<Response>> = {};
    // The layout has no page of its own: its address shows the index.
    if (id !== LAYOUT) answers.document = server.fetch(path, { headers });
    // Single fetch runs exactly this loader, so a parent's guard cannot stand in for a missing one.
    if (hasLoader) answers.data = server.fetch(`${path}.data?_routes=${encodeURIComponent(id)}`, { headers });
    if (hasAction) {
      answers.action = post(path);
      answers.actionData = post(`${path}.data`);
    }
    const gates = await Promise.all(
      Object.entries(answers).map(async ([way, answer]) => [way, await findGate(await answer, path)]),
    );
    expect(gates).toEqual(Object.keys(answers).map((way) => [way, getGate(id)]));
  });
}

async function findGate(answer: Response, path: string): Promise<Gate | string> {
  const body = await answer.text();
  if (answer.status >= 500) return `broken: ${answer.status}`;
  const location = answer.headers.get("Location");
  // Single fetch redirects in its body.
  const redirect = body.includes("SingleFetchRedirect") ? /"redirect","([^"]+)"/.exec(body)?.[1] : undefined;
  const target = location ?? redirect;
  const redirectTo = `redirectTo=${encodeURIComponent(path)}`;
  const gates: [Gate, string][] = [
    ["login", `/login?${redirectTo}`],
    // A form whose session has ended is kept for after the login.
    ["login", `/login/session-ended?${redirectTo}`],
    ["password", `/admin/password-reset?${redirectTo}`],
    ["unauthorized", "/unauthorized"],
  ];
  // The page of the second factor leads to itself.
  if (!path.startsWith(paths.secondFactor)) gates.push(["second-factor", paths.secondFactor]);
  const [gate] = gates.find(([, address]) => target?.startsWith(address)) ?? [];
  if (!gate) return "open";
  // Single fetch redirects with 202 and a body.
  const hasContent = answer.status === 202 ? body.includes("@example.com") : body !== "";
  return hasContent ? "has content" : gate;
}

const server = useServer();
const superadmin = useSuperadmin(server);
const cookies = new Map<Person, string>();
beforeAll(async () => {
  const admin = async (name: string) =>
    (await becomeAdmin(server, superadmin.cookie, `${name}@example.com`)).cookie;
  const newcomer = "newcomer@example.com";
  cookies.set("superadmin", superadmin.cookie);
  cookies.set("admin", await admin("admin"));
  cookies.set(
    "newcomer",
    await logInAs(server, newcomer, await addUser(server, superadmin.cookie, newcomer)),
  );
  await turnOnSecondFactor(server, await admin("coded"), OWN_PASSWORD);
  const pending = await logInAs(server, "coded@example.com", OWN_PASSWORD);
  cookies.set("between password and code", pending);
  cookies.set("with a pending login for a session", `${pending}; ${pending.replace("login=", "sid=")}`);
  cookies.set("removed", await admin("removed"));
  cookies.set("demoted", await admin("demoted"));
  // Both have their session when this happens.
  execute(server, "update accounts set role = 'superadmin' where email = 'demoted@example.com'");
  execute(server, "update accounts set role = 'admin' where email = 'demoted@example.com'");
  execute(server, "delete from accounts where email = 'removed@example.com'");
});

describe.each(PERSONS)("%s", (person) => {
  sweep(
    server,
    () => cookies.get(person) ?? "",
    (id) => getExpectedGate(person, id),
  );
});

describe("without the second factor that REQUIRE_2FA=on requires", () => {
  const open = [...ANY_PASSWORD, "routes/admin.second-factor", "routes/admin.second-factor.codes"];
  const product = useServer({ REQUIRE_2FA: "on" });
  const superadmin = useSuperadmin(product);

  sweep(
    product,
    () => superadmin.cookie,
    (id) => (open.includes(id) ? "open" : "second-factor"),
  );
});

// C7
describe("no route that takes a post takes one from elsewhere", () => {
  describe.each(posting)("$id", ({ path }) => {
    it.each([
      ["Sec-Fetch-Site: cross-site", { "Sec-Fetch-Site": "cross-site" }],
      ["Sec-Fetch-Site: same-site", { "Sec-Fetch-Site": "same-site" }],
      ["a foreign Origin", { Origin: "https://e.example" }],
      ["Origin: null", { Origin: "null" }],
      ["a cookie and neither header", { Cookie: "sid=x" }],
    ])("%s", async (_, headers) => {
      const body = new URLSearchParams({ name: "x", email: "x@example.com" });
      expect((await server.fetch(path, { method: "POST", body, headers })).status).toBe(403);
    });
  });

  it("a browser that hides its origin may send a form of ours", async () => {
    const fields = { email: "nobody@example.com", password: "wrong" };
    const answer = await server.fetch("/login", formPost(fields, { Origin: "null", ...someone() }));
    expect(answer.status).toBe(400);
  });
});

it("finds the routes to sweep", () => {
  const paths = ["/admin/dashboard", "/admin/tokens", "/admin/outreach/x", "/admin/second-factor/codes"];
  expect(guarded.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  expect(guarded.map(({ id }) => id)).toEqual(expect.arrayContaining([...SUPERADMIN_ONLY, ...ANY_PASSWORD]));
  const ids = ["routes/login", "routes/logout", "routes/($form)", "routes/unsubscribe.$token"];
  expect(posting.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});
