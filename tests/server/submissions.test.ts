import { beforeEach, describe, expect, it } from "vitest";
import { cleanText } from "~/lib/clean-text";
import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { readRows, signUp, someone, stampOfAPerson, submit } from "./visitors";
import { unescapeHtml } from "./form-html";
import { getRedirect } from "./operators";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const TABLE = "/admin/submissions/early-access";
const EXPORT = `${TABLE}/export`;

const server = useServer();
const superadmin = useSuperadmin(server);

let people = 0;
/** Signs up as a new person; resolves with the stored id. */
async function person(fields: Record<string, string> = {}): Promise<string> {
  const email = `person-${++people}@example.com`;
  expect((await signUp(server, { email, ...fields })).status).toBe(303);
  return String(readRows(server, "select id from submissions where email = ?", email)[0]?.id);
}
const open = (search = "") => superadmin.read(TABLE + search);
const post = (fields: Record<string, string> | URLSearchParams) => superadmin.post(TABLE, fields);
const getState = (id: string) => readRows(server, "select state from submissions where id = ?", id)[0]?.state;

describe("the submissions of a form", () => {
  it.each([
    ["an invalid day", "from=2026-02-31", "Please enter a day like 2026-11-21."],
    ["a last day before the first", "from=2026-02-02&to=2026-02-01", "This day is before the first one."],
    ["an unknown choice", "choice=constructor", "Please choose one of these."],
    ["an unknown state", "mail=__proto__", "Please choose one of these."],
    ["an unknown order", "sort=x", "Please choose one of these."],
    ["a search that is too long", `q=${"x".repeat(101)}`, "Please search for at most 100 characters."],
  ])("report %s at its field, and show, export and delete nothing (422)", async (_, search, sentence) => {
    const html = await readText(superadmin.get(`${TABLE}?${search}`), 422);
    expect(html).toContain(sentence);
    expect(html).not.toContain("person-1@example.com");
    expect((await superadmin.post(`${EXPORT}?${search}`)).status).toBe(303);
    const deletion = new URLSearchParams(`${search}&intent=delete&through=ffffffff`);
    expect((await post(deletion)).status).toBe(303);
    expect(readRows(server, "select id from submissions where state = 'deleted'")).toEqual([]);
  });

  it("redirect from an unknown form to the first table, and from the address of an export to its table", async () => {
    expect(getRedirect(await superadmin.get("/admin/submissions/x"))).toEqual([303, "/admin/submissions"]);
    expect(getRedirect(await superadmin.get(`${EXPORT}?q=ada`))).toEqual([303, `${TABLE}?q=ada`]);
  });

  it("are deleted by filter after a question with their number, and as a whole table only with a word", async () => {
    await person({ name: "Odile" });
    const through = await person({ name: "Odette" });
    const all = Number(
      readRows(server, "select count(*) as n from submissions where state = 'accepted'")[0]?.n,
    );
    await person({ name: "Later" });
    expect(await open(`?step=delete&through=${through}`)).toContain(`Delete ${all} submissions?`);
    expect(await open(`?q=od&step=delete&through=${through}`)).toContain("Delete 2 submissions?");

    expect((await post({ intent: "delete", through, word: "yes" })).status).toBe(422);
    expect(getState(through)).toBe("accepted");
    const deleted = await post({ intent: "delete", through, q: "od" });
    expect(deleted.headers.get("Location")).toContain("notice=submissions-deleted");
    expect(getState(through)).toBe("deleted");
  });

  it("are reported as gone when they are deleted again, and their deletion as over once it was undone", async () => {
    const id = await person();
    const deleted = await post({ intent: "delete", id });
    const deletion = /deletion=([0-9a-f-]{36})/.exec(deleted.headers.get("Location") ?? "")?.[1] ?? "";
    const again = await post({ intent: "delete", id });
    expect(again.headers.get("Location")).toBe(`${TABLE}?notice=submissions-gone`);
    await post({ intent: "undo", deletion });
    const over = await post({ intent: "undo", deletion });
    expect(over.headers.get("Location")).toBe(`${TABLE}?notice=deletion-over`);
  });
});

describe("a hostile text in a submission", () => {
  // Forms with a NUL are refused.
  const texts = HOSTILE_TEXTS.filter((text) => !text.includes("\0"));
  let ids: string[];
  beforeEach(async () => {
    ids ??= await Promise.all(
      texts.map((text) => person({ name: text.replace(/[\r\n]+/g, " "), company: "x" })),
    );
  });

  it("is stored as typed, and shown as text on the table and in the question (C14, R25)", async () => {
    const rows = readRows(server, "select name from submissions where company = 'x'");
    const stored = rows.map(({ name }) => String(name));
    const typed = texts.map((text) => cleanText(text.replace(/[\r\n]+/g, " ")));
    expect(stored.toSorted()).toEqual(typed.toSorted());
    const table = unescapeHtml(await open("?sort=newest"));
    expect(stored.filter((name) => !table.includes(`>${name}</bdi>`))).toEqual([]);
    const selection = new URLSearchParams(ids.slice(0, 5).map((id) => ["id", id]));
    for (const search of ["?sort=newest", `?${selection}&step=delete`]) {
      const html = await open(search);
      for (const live of ["<script>document", "<img src=x", "<svg onload"]) expect(html).not.toContain(live);
    }
  });

  it("is exported as text: no cell a formula, and one entry in the activity (C21)", async () => {
    const answer = await superadmin.post(`${EXPORT}?q=&sort=oldest`);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="early-access-[\d-]+\.csv"$/,
    );
    const csv = await answer.text();
    expect(csv.startsWith('"Name","Email","Company","Role","Timestamp","Email status"\r\n')).toBe(true);
    const lines = csv.split("\r\n").slice(1, -1);
    const accepted = readRows(server, "select email from submissions where state = 'accepted' order by id");
    expect(lines.map((line) => /"(person-\d+@example.com)"/.exec(line)?.[1])).toEqual(
      accepted.map((row) => row.email),
    );
    for (const text of ["=cmd|", "+1+cmd", "-2+3", "@SUM", "\uFF1D1+1"]) expect(csv).toContain(`"'${text}`);
    for (const line of lines) expect(line).not.toMatch(/(^|,)"[=+\-@\t\uFF1D]/);
    const entries = readRows(server, "select subject from audit where action = 'export-submissions'");
    expect(entries).toEqual([{ subject: "early-access, all of it" }]);
  });
});

it("an export contains exactly the submissions that match its filter", async () => {
  await person({ name: "Copied Alone" });
  await person({ name: "Left Out" });
  const answer = await superadmin.post(`${EXPORT}?q=copied`);
  const lines = (await answer.text()).split("\r\n").slice(1, -1);
  expect(lines).toEqual([expect.stringContaining('"Copied Alone"')]);
});

it("a table has the columns of its form, and no inquirer is called subscribed", async () => {
  const listHeaders = (html: string) =>
    [...html.matchAll(/<th [^>]*>([^<]+)<\/th>/g)]
      .map(([, name]) => name)
      .filter((name) => name !== "Select");
  const read = (kind: string) => superadmin.read(`/admin/submissions/${kind}`);
  await person({ company: "Ironbridge Cycles", role: "developer" });
  const contact = {
    fullName: "Eve",
    email: "eve@example.com",
    inquiryType: "support",
    message: "Is it open?",
  };
  await submit(server, "/contact", { ...contact, stamp: await stampOfAPerson(server) }, someone());
  const updates = { name: "Bo", email: "bo@example.com", stamp: await stampOfAPerson(server) };
  await submit(server, "/updates", updates, someone());

  const early = await read("early-access");
  expect(listHeaders(early)).toEqual(["Name and email", "Company", "Role", "Email status", "Received"]);
  expect(early).toMatch(/>Ironbridge Cycles<.*>Developer<.*>Subscribed</s);
  const inquiries = await read("contact-form");
  expect(listHeaders(inquiries)).toEqual([
    "Name and email",
    "Inquiry type",
    "Message",
    "Email status",
    "Received",
  ]);
  expect(inquiries).toMatch(/>Support<.*>Is it open\?<.*>Can be emailed</s);
  expect(inquiries).not.toContain("Subscribed");
  expect(listHeaders(await read("updates-signup"))).toEqual(["Name and email", "Email status", "Received"]);
  const csv = await (await superadmin.post("/admin/submissions/contact-form/export")).text();
  expect(csv).toContain('"Can be emailed"');
  expect(csv).not.toContain("Subscribed");
});
