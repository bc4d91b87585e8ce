import { describe, expect, it } from "vitest";
import { formPost, startServer, SUPERADMIN } from "../server-process";
import {
  addUser,
  becomeAdmin,
  getAccountId,
  getRedirect,
  logInAs,
  OWN_PASSWORD,
  passwordIn,
} from "./operators";
import { execute, readRows, withoutTable } from "./visitors";
import { createSession, readText, type Session } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const TO_PASSWORD = [303, "/admin/password-reset?redirectTo=%2Fadmin%2Fdashboard"];

const server = useServer();
const superadmin = useSuperadmin(server);

let people = 0;
const somebody = () => `person-${(people += 1)}@example.com`;
const post = (person: Session, fields: Record<string, string>, path = "/admin/users") =>
  person.post(path, fields);
const everyone = (on = server) => readRows(on, "select * from accounts order by id");

it("the screens count accounts, of which some have never logged in", async () => {
  await addUser(server, superadmin.cookie, somebody());
  const count = `${everyone().length} accounts.`;
  for (const page of ["/admin/users", "/admin/setup?step=colleague"]) {
    expect(await superadmin.read(page)).toContain(count);
  }
});

describe("adding a user", () => {
  it("shows the temporary password only in the response to the post", async () => {
    const email = somebody();
    const answer = await post(superadmin, { intent: "add", email, fullName: "Ada Byron" });
    const html = await readText(answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(html).toContain("User created successfully");
    const password = passwordIn(html);
    expect(password).toBeDefined();
    expect(JSON.stringify([...answer.headers])).not.toContain(password);
    expect(await superadmin.read("/admin/users")).not.toContain(password);
  });

  it.each([
    [{ email: "", fullName: "" }, "Please provide both email and full name"],
    [{ email: "ada@example.com", fullName: "  " }, "Please provide both email and full name"],
    [{ email: "", fullName: "Ada Byron" }, "Please provide both email and full name"],
    [{ email: "no address", fullName: "Ada Byron" }, "Failed to create user"],
    [{ email: "ada@example.com", fullName: "x".repeat(201) }, "Failed to create user"],
  ])("with %j is refused, and keeps what was typed", async (input, message) => {
    const before = everyone();
    const html = await readText(post(superadmin, { intent: "add", ...input }), 422);
    expect(html).toContain(message);
    expect(html).toContain(`value="${input.email}"`);
    expect(html).toContain('aria-invalid="true"');
    expect(everyone()).toEqual(before);
  });

  it("is not what an unknown intent does", async () => {
    const before = everyone();
    const fields = { intent: "no-such-action", email: somebody(), fullName: "Ada Byron" };
    const answer = await post(superadmin, fields);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/users"]);
    expect(everyone()).toEqual(before);
  });

  it("with the address of an account is refused with the reason", async () => {
    const fields = { intent: "add", email: "SUPERADMIN@example.com", fullName: "Me" };
    const html = await readText(post(superadmin, fields), 409);
    expect(html).toContain("Failed to create user");
    expect(html).toContain("There is already an account for");
  });

  it("reports a database error and keeps what was typed", async () => {
    const input = { intent: "add", email: "ada@example.com", fullName: "Ada Byron" };
    const answer = withoutTable(server, "audit", () => post(superadmin, input));
    const html = await readText(answer, 503);
    expect(html).toContain("Failed to add user. Please try again.");
    expect(html).toContain('value="ada@example.com"');
    expect(readRows(server, "select * from accounts where email = 'ada@example.com'")).toEqual([]);
  });
});

it("a temporary password opens only its own change", async () => {
  const email = somebody();
  const current = await addUser(server, superadmin.cookie, email);
  const cookie = await logInAs(server, email, current);
  const newcomer = createSession(server, () => cookie);
  expect(getRedirect(await newcomer.get("/admin/dashboard"))).toEqual(TO_PASSWORD);
  const change = (fields: Partial<Record<"currentPassword" | "newPassword" | "confirmPassword", string>>) => {
    const { newPassword = OWN_PASSWORD, confirmPassword = newPassword } = fields;
    const form = { currentPassword: current, newPassword, confirmPassword, ...fields };
    return post(newcomer, form, "/admin/password-reset");
  };
  for (const [fields, sentence] of [
    [{ newPassword: "k7#qz" }, "Please use at least 6 characters."],
    [
      { newPassword: "Football" },
      "This is one of the 20,000 most common passwords, which attackers try first.",
    ],
    [{ newPassword: "Confer2026" }, "This is the product&#x27;s name, which attackers try first."],
    [{ newPassword: current }, "This is the password you have now."],
    [{ currentPassword: "" }, "Please enter the password you logged in with."],
    [{ newPassword: "" }, "Please choose a new password."],
    [{ confirmPassword: "" }, "Please enter the new password a second time."],
  ] as const) {
    const html = await readText(change(fields), 422);
    expect(html).toContain("Failed to reset password");
    expect(html).toContain(sentence);
    for (const typed of Object.values(fields)) if (typed) expect(html).not.toContain(`value="${typed}"`);
  }
  expect(await (await change({ confirmPassword: "another" })).text()).toContain(
    "New passwords don&#x27;t match",
  );
  expect(getRedirect(await change({}))).toEqual([303, "/admin?notice=welcome"]);
  expect(server.output()).toContain("Password updated successfully");
});

it("a password change without a session leads to the login", async () => {
  const answer = await server.fetch(
    "/admin/password-reset",
    formPost({ currentPassword: "a", newPassword: "b", confirmPassword: "b" }),
  );
  const login = "/login?redirectTo=%2Fadmin%2Fpassword-reset&notice=no-user";
  expect(getRedirect(answer)).toEqual([303, login]);
  const html = await readText(server.fetch(login));
  expect(html).toMatch(/role="alert".*No user logged in.*Nothing was changed; please log in again\./s);
});

it("a user can be added from the dashboard by a superadmin, but not by an admin", async () => {
  const email = somebody();
  const fields = { intent: "add", email, fullName: "Ada Byron" };
  const answer = await (await post(superadmin, fields, "/admin/dashboard")).text();
  expect(answer).toMatch(/User Management.*User created successfully/s);
  expect(answer).toMatch(/<form[^>]*action="\/admin\/dashboard#user-management"/);
  expect(passwordIn(answer)).toMatch(/A1!$/);
  const again = await readText(post(superadmin, fields, "/admin/dashboard"), 409);
  expect(again).toContain(`value="${email}"`);
  const admin = await becomeAdmin(server, superadmin.cookie, somebody());
  const refused = await post(admin, { ...fields, email: somebody() }, "/admin/dashboard");
  expect(getRedirect(refused)).toEqual([303, "/unauthorized"]);
});

describe("removing a user", () => {
  it.each([
    ["remove", "The account and its password are deleted"],
    ["reissue", "Their password stops working at once"],
  ])("asks first at an address of its own, which changes nothing: %s", async (step, sentence) => {
    const email = somebody();
    await addUser(server, superadmin.cookie, email);
    const before = everyone();
    const html = await superadmin.read(`/admin/users?step=${step}&account=${getAccountId(server, email)}`);
    expect(html).toMatch(/<dialog[^>]* open/);
    expect(html).toContain(sentence);
    expect(everyone()).toEqual(before);
  });

  it("keeps the order and the page of the list", async () => {
    const email = somebody();
    await addUser(server, superadmin.cookie, email);
    const account = getAccountId(server, email);
    const list = `sort=login&before=${getAccountId(server, SUPERADMIN.email)}`;
    expect(await superadmin.read(`/admin/users?${list}`)).toContain(
      `href="/admin/users?${list}&step=remove&account=${account}"`.replaceAll("&", "&amp;"),
    );
    const question = await superadmin.read(`/admin/users?${list}&step=remove&account=${account}`);
    const [, dialog = ""] = question.split("<dialog");
    const target = `/admin/users?${list}`.replaceAll("&", "&amp;");
    expect(dialog).toContain(`href="${target}"`);
    expect(dialog).toContain(`action="${target}"`);
    const removed = await post(superadmin, { intent: "remove", account }, `/admin/users?${list}`);
    expect(getRedirect(removed)).toEqual([303, `/admin/users?${list}&notice=user-removed`]);
  });

  it("of the only account of the last page leaves a link to the first one", async () => {
    const last = somebody();
    await addUser(server, superadmin.cookie, last);
    const html = await superadmin.read(
      `/admin/users?sort=created&order=asc&after=${getAccountId(server, last)}&notice=user-removed`,
    );
    expect(html).toContain("No more results.");
    expect(html).toContain('href="/admin/users?sort=created&amp;order=asc"');
  });

  it("says that a user is already removed", async () => {
    const answer = await post(superadmin, { intent: "remove", account: "no such account" });
    expect(getRedirect(answer)).toEqual([303, "/admin/users?notice=user-gone"]);
  });
});

describe("changing a role", () => {
  it("asks first, applies at once, and is recorded", async () => {
    const email = somebody();
    const ada = await becomeAdmin(server, superadmin.cookie, email);
    const account = getAccountId(server, email);
    expect(getRedirect(await ada.get("/admin/users"))).toEqual([303, "/unauthorized"]);
    const question = await superadmin.read(`/admin/users?step=promote&account=${account}`);
    expect(question).toMatch(/<dialog[^>]* open.*Make this user a superadmin\?/s);
    const promoted = await post(superadmin, { intent: "promote", account });
    expect(getRedirect(promoted)).toEqual([303, "/admin/users?notice=user-promoted"]);
    expect(await ada.read("/admin/users")).toContain("User Management");
    const again = await post(superadmin, { intent: "promote", account });
    expect(getRedirect(again)).toEqual([303, "/admin/users?notice=role-unchanged"]);
    const demoted = await post(superadmin, { intent: "demote", account });
    expect(getRedirect(demoted)).toEqual([303, "/admin/users?notice=user-demoted"]);
    expect(getRedirect(await ada.get("/admin/users"))).toEqual([303, "/unauthorized"]);
    expect(await superadmin.read("/admin/activity")).toContain("made");
  });

  // C10
  it("is refused for oneself", async () => {
    const account = getAccountId(server, SUPERADMIN.email);
    const html = await readText(post(superadmin, { intent: "demote", account }), 409);
    expect(html).toContain("Nobody changes their own role. Another superadmin can do it.");
  });
});

describe("account settings", () => {
  const PROTECTED_ACCOUNTS = "Owner@example.com,other@example.com";
  const server = useServer({ PROTECTED_ACCOUNTS, PASSWORD_MIN_LENGTH: "20" });
  const superadmin = useSuperadmin(server);

  // C10
  it("removes neither oneself, a superadmin nor a protected address", async () => {
    const other = somebody();
    await becomeAdmin(server, superadmin.cookie, other);
    execute(server, "update accounts set role = 'superadmin' where email = ?", other);
    await addUser(server, superadmin.cookie, "owner@example.com");
    const before = everyone(server);
    for (const email of [SUPERADMIN.email, other, "owner@example.com"]) {
      const id = getAccountId(server, email);
      const remove = await readText(post(superadmin, { intent: "remove", account: id }), 409);
      expect(remove).toContain("Cannot remove superadmin users");
      const reissue = await readText(post(superadmin, { intent: "reissue", account: id }), 409);
      expect(passwordIn(reissue)).toBeUndefined();
      const page = await superadmin.read(`/admin/users?step=remove&account=${id}`);
      expect(page).not.toMatch(/<dialog/);
      expect(page).not.toMatch(new RegExp(`href="[^"]*step=remove&amp;account=${id}`));
    }
    expect(everyone(server)).toEqual(before);
  });

  it("PASSWORD_MIN_LENGTH is enforced, and shown in the form", async () => {
    const next = "nineteen characters";
    const change = { currentPassword: SUPERADMIN.password, newPassword: next, confirmPassword: next };
    const html = await readText(post(superadmin, change, "/admin/password-reset"), 422);
    expect(html).toContain("Please use at least 20 characters.");
    expect(html).toContain('minLength="20"');
  });

  it.each([
    [{ SUPERADMIN_PASSWORD: "k7#qz" }, /SUPERADMIN_PASSWORD: Please use at least 6 characters\./],
    [{ SUPERADMIN_PASSWORD: "password" }, /SUPERADMIN_PASSWORD: This is one of the 20,000 most common/],
    [
      { PASSWORD_MIN_LENGTH: "5", PROTECTED_ACCOUNTS: "a@example.com, nobody" },
      /^ {2}PROTECTED_ACCOUNTS\.1: .*\n {2}PASSWORD_MIN_LENGTH: /m,
    ],
  ])("%j stops the start with its name", async (environment, sentence) => {
    await expect(startServer(environment as Record<string, string>)).rejects.toThrow(sentence);
  });
});
