import { beforeAll, expect, it } from "vitest";
import { formPost } from "../server-process";
import { becomeAdmin, getRedirect, logInAs, OWN_PASSWORD } from "./operators";
import { readText, type Session } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { dumpDatabase, execute, readRows, someone } from "./visitors";

const server = useServer();
const superadmin = useSuperadmin(server);
let ada: Session;
let people = 0;
/** An address that nobody has yet. */
const newAddress = () => `new-${(people += 1)}@example.com`;

beforeAll(async () => {
  ada = await becomeAdmin(server, superadmin.cookie, "ada@example.com");
});

const post = (person: Session, intent: string, fields: Record<string, string> = {}) =>
  person.post("/admin/account", { intent, ...fields });
const ask = (email: string, password = OWN_PASSWORD) => post(ada, "email", { email, password });

/** Returns the path of the newest link to an address, as a superadmin finds it in the outbox. */
async function findLink(email: string): Promise<string> {
  const newest = "select id from outbox_emails where to_address = ? order by id desc";
  const [{ id = "" } = {}] = readRows(server, newest, email);
  const body = await superadmin.read(`/admin/outbox/${String(id)}`);
  return /\/confirm-email\/[\w-]{43}/.exec(body)?.[0] ?? "no link";
}

it("a person changes their name", async () => {
  expect(getRedirect(await post(ada, "name", { fullName: " Ada Lovelace " }))).toEqual([
    303,
    "/admin/account?notice=name-saved",
  ]);
  const page = await ada.read("/admin/account?notice=name-saved");
  expect(page).toContain("Your name was saved.");
  expect(page).toContain('value="Ada Lovelace"');
  const refused = await readText(post(ada, "name", { fullName: " " }), 422);
  expect(refused).toContain("Please enter your name.");
});

it("all personal screens are linked from the account, which the name in the bar leads to", async () => {
  const page = await ada.read("/admin/account");
  for (const path of ["password-reset", "second-factor", "alerts", "sessions", "shortcuts"]) {
    expect(page).toMatch(new RegExp(`<a [^>]*href="/admin/${path}"[^>]*>[^<]`));
  }
  expect(await ada.read("/admin/activity")).toMatch(/<a [^>]*href="\/admin\/account"[^>]*><bdi>Ada/);
  expect(getRedirect(await ada.get("/admin/time-zone"))).toEqual([303, "/admin/account#time-zone"]);
});

// C11, C24
it("an address is changed by the password and a link to the new one", async () => {
  const email = newAddress();
  expect(getRedirect(await ask(email))).toEqual([303, "/admin/account?notice=email-change-requested"]);
  const pending = await ada.read("/admin/account");
  expect(pending).toContain(`${email}</bdi> waits for its confirmation`);
  expect(pending).toContain("A superadmin finds the link in the outbox");

  const link = await findLink(email);
  const before = dumpDatabase(server);
  const opened = await server.fetch(link);
  expect(opened.headers.get("X-Robots-Tag")).toContain("noindex");
  expect(await opened.text()).toContain(email);
  expect(dumpDatabase(server)).toBe(before);

  expect(getRedirect(await server.fetch(link, formPost({}, someone())))).toEqual([303, link]);
  expect(await readText(server.fetch(link))).toContain("Your address was changed");
  expect(await readText(server.fetch(link, formPost({}, someone())))).toContain("Your address was changed");
  expect(await ada.read("/admin/account")).toContain(`>${email}</bdi>`);
  await logInAs(server, email, OWN_PASSWORD);
  await expect(logInAs(server, "ada@example.com", OWN_PASSWORD)).rejects.toThrow();
  await expect
    .poll(() => readRows(server, "select id from outbox_emails where to_address = 'ada@example.com'"))
    .toHaveLength(1);
  const token = link.split("/").at(-1) ?? "";
  expect(server.output()).toContain('"path":"/confirm-email/:token"');
  expect(server.output()).not.toContain(token);
});

// C24
it("only a superadmin and the recipient see the link", async () => {
  const email = newAddress();
  await ask(email);
  const link = await findLink(email);
  expect(link).toMatch(/^\/confirm-email\//);
  const [{ id = "" } = {}] = readRows(server, "select id from outbox_emails where to_address = ?", email);
  for (const view of ["", "?view=source", "/body", "/file"]) {
    const answer = await ada.get(`/admin/outbox/${String(id)}${view}`);
    expect(await answer.text()).not.toContain(link);
  }
});

it("a refused address is kept, and the password is not", async () => {
  const html = async (answer: Promise<Response>, status: number) => readText(answer, status);
  const wrong = await html(ask("typed@example.com", "a wrong password"), 422);
  expect(wrong).toContain("This is not your current password.");
  expect(wrong).toContain('value="typed@example.com"');
  expect(wrong).not.toContain("a wrong password");
  expect(await html(ask("no address", ""), 422)).toContain("Please enter your current password.");
  expect(await html(ask("superadmin@example.com"), 409)).toContain("already an account for this address");
});

it("a pending change is withdrawn, and its link says so", async () => {
  const email = newAddress();
  await ask(email);
  const link = await findLink(email);
  const withdraw = () => post(ada, "withdraw-email");
  expect(getRedirect(await withdraw())).toEqual([303, "/admin/account?notice=email-change-withdrawn"]);
  expect(getRedirect(await withdraw())).toEqual([303, "/admin/account?notice=email-change-gone"]);
  expect(await readText(server.fetch(link), 410)).toContain("The change was withdrawn");
  expect(await readText(server.fetch("/confirm-email/x"), 404)).toContain("This link does not work");
});

it("a link that is too old, or whose address is taken by now, says so", async () => {
  const email = newAddress();
  execute(server, "delete from attempts where key like 'email-change:%'");
  await ask(email);
  const link = await findLink(email);
  await superadmin.post("/admin/users", { intent: "add", email, fullName: "Somebody else" });
  expect(await readText(server.fetch(link), 409)).toContain("Another account has it by now");
  expect(await readText(server.fetch(link, formPost({}, someone())), 409)).toContain(
    "Another account has it",
  );
  execute(server, "update email_changes set expires_at = 1 where email = ?", email);
  expect(await readText(server.fetch(link), 410)).toContain("This link has expired");
});
