import { expect, it } from "vitest";
import { formPost } from "../server-process";
import { getRedirect, logInAs, OWN_PASSWORD } from "./operators";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { dumpDatabase, execute, readRows, someone } from "./visitors";

const server = useServer();
const superadmin = useSuperadmin(server);

let people = 0;

/** Invites somebody; resolves with the page, the address and the path of the link. */
async function invite(fields: Record<string, string> = { isEmailed: "on" }) {
  const email = `invited-${(people += 1)}@example.com`;
  const answer = superadmin.post("/admin/users", {
    intent: "invite",
    email,
    fullName: "Ada Byron",
    ...fields,
  });
  const html = await readText(answer);
  const token = /\/invitation\/([\w-]{43})</.exec(html)?.[1];
  if (!token) throw new Error("no link is shown");
  return { html, email, token, page: `/invitation/${token}` };
}

const accept = (page: string, newPassword: string, confirmPassword = newPassword) =>
  server.fetch(page, formPost({ newPassword, confirmPassword }, someone()));

// C11, C24
it("a colleague is invited, chooses a password and logs in", async () => {
  const { html, email, page, token } = await invite();
  expect(html).toContain(`Invitation for Ada Byron (${email})`);
  expect(html).toContain("accepted by the mail server");
  const list = await superadmin.read("/admin/users");
  expect(list).toContain(email);
  expect(list).not.toContain(token);

  const before = dumpDatabase(server);
  const opened = await server.fetch(page);
  expect(opened.headers.get("X-Robots-Tag")).toContain("noindex");
  expect(await opened.text()).toContain("Choose your password");
  expect(dumpDatabase(server)).toBe(before);

  expect(await readText(accept(page, "k7#qz"), 422)).toContain("Please use at least 6 characters.");
  expect(await readText(accept(page, OWN_PASSWORD, "another"), 422)).toContain("exactly as above");
  expect(getRedirect(await accept(page, OWN_PASSWORD))).toEqual([303, "/login?notice=invitation-accepted"]);
  expect(await readText(server.fetch("/login?notice=invitation-accepted"))).toContain(
    "Your account is ready.",
  );
  const cookie = await logInAs(server, email, OWN_PASSWORD);
  expect((await server.fetch("/admin/dashboard", { headers: { Cookie: cookie } })).status).toBe(200);
  expect(await readText(accept(page, OWN_PASSWORD), 410)).toContain("This invitation was used");
  expect(server.output()).toContain('"path":"/invitation/:token"');
  expect(server.output()).not.toContain(token);
});

it("a link that was renewed, revoked or is too old says so", async () => {
  const { email, page } = await invite({});
  const [{ id = "" } = {}] = readRows(server, "select id from invitations where email = ?", email);
  const question = await superadmin.read(`/admin/users?step=renew&invitation=${String(id)}`);
  expect(question).toMatch(/<dialog[^>]* open.*Create a new link\?/s);
  const renewed = await readText(
    superadmin.post("/admin/users", { intent: "renew", invitation: String(id) }),
  );
  const next = /\/invitation\/[\w-]{43}/.exec(renewed)?.[0] ?? "";
  expect(await readText(server.fetch(page), 410)).toContain("This invitation does not work any more");
  execute(server, "update invitations set expires_at = 1 where email = ?", email);
  expect(await readText(server.fetch(next), 410)).toContain("This invitation has expired");
  const pending = "select id from invitations where email = ? and revoked_at is null";
  const [{ id: current = "" } = {}] = readRows(server, pending, email);
  const revoked = await superadmin.post("/admin/users", { intent: "revoke", invitation: String(current) });
  expect(getRedirect(revoked)).toEqual([303, "/admin/users?notice=invitation-revoked"]);
  expect(await readText(server.fetch(next), 410)).toContain("revoked, or a newer link replaced it");
  expect(await readText(server.fetch("/invitation/x"), 404)).toContain("This link does not work");
});

it("an invitation that is incomplete or known is refused, and keeps what was typed", async () => {
  const post = (fields: Record<string, string>) =>
    superadmin.post("/admin/users", { intent: "invite", ...fields });
  const typed = await readText(post({ email: "no address", fullName: "Ada" }), 422);
  expect(typed).toContain("Nobody was invited");
  expect(typed).toContain('value="no address"');
  const { email } = await invite({});
  expect(await readText(post({ email, fullName: "Ada" }), 409)).toContain("has a pending invitation");
});
