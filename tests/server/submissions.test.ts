import { beforeEach, describe, expect, it } from "vitest";
import { cleanText } from "~/lib/clean-text";
import { utcMinute } from "~/lib/utc-minute";
import { days, hours, minutes } from "~/lib/durations";
import { getUuidTime } from "~/lib/uuid";
import { zonedDay } from "~/lib/zoned-day";
import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { execute, readRows, signUp, someone, stampOfAPerson, submit } from "./visitors";
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
    ["an invalid time", "since=yesterday", "Correct the marked fields above"],
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

  it("redirect from an unknown form to the first table", async () => {
    expect(getRedirect(await superadmin.get("/admin/submissions/x"))).toEqual([303, "/admin/submissions"]);
    expect(getRedirect(await superadmin.get(`${EXPORT}?q=ada`))).toEqual([303, `${TABLE}?q=ada`]);
  });

  it("are deleted by filter, as a whole table only with a word", async () => {
    await person({ name: "Odile" });
    const id = await person({ name: "Odette" });
    const all = Number(
      readRows(server, "select count(*) as n from submissions where state = 'accepted'")[0]?.n,
    );
    const [, through = ""] = /through=(\d+)/.exec(await open("")) ?? [];
    await person({ name: "Later" });
    const question = await open(`?step=delete&id=${id}`);
    expect(question).toContain("will be removed from tables, counts and audiences at once.");
    expect(question).not.toContain("in the mirror");
    expect(await open(`?step=delete&through=${through}`)).toContain(`Delete ${all} submissions?`);
    expect(await open(`?q=od&step=delete&through=${through}`)).toContain("Delete 2 submissions?");

    expect((await post({ intent: "delete", through, word: "yes" })).status).toBe(422);
    expect(getState(id)).toBe("accepted");
    const deleted = await post({ intent: "delete", through, q: "od" });
    expect(deleted.headers.get("Location")).toContain("notice=submissions-deleted");
    expect(getState(id)).toBe("deleted");
  });

  it("keep their page when there is nothing to ask about", async () => {
    const list = `${TABLE}?q=person&before=${crypto.randomUUID()}`;
    const ask = async (search: string) => getRedirect(await superadmin.get(`${list}&step=delete${search}`));
    expect(await ask("")).toEqual([303, `${list}&notice=no-submission-selected`]);
    expect(await ask(`&id=${crypto.randomUUID()}`)).toEqual([303, `${list}&notice=submissions-gone`]);
  });

  it("are reported as gone when they are deleted again", async () => {
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

  // C14, R25
  it("is stored as typed, and shown as text on the table and in the question", async () => {
    const rows = readRows(server, "select name from submissions where company = 'x'");
    const stored = rows.map(({ name }) => String(name));
    const typed = texts.map((text) => cleanText(text.replace(/[\r\n]+/g, " ")));
    expect(stored.toSorted()).toEqual(typed.toSorted());
    const table = unescapeHtml(await open("?order=desc"));
    expect(stored.filter((name) => !table.includes(`>${name}</bdi>`))).toEqual([]);
    const selection = new URLSearchParams(ids.slice(0, 5).map((id) => ["id", id]));
    for (const search of ["?order=desc", `?${selection}&step=delete`]) {
      const html = await open(search);
      for (const live of ["<script>document", "<img src=x", "<svg onload"]) expect(html).not.toContain(live);
    }
  });

  // C21
  it("is exported as text: no cell a formula, and one entry in the activity", async () => {
    const answer = await superadmin.post(`${EXPORT}?q=&order=asc`);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="early-access-[\d-]+\.csv"$/,
    );
    const csv = await answer.text();
    expect(csv.startsWith('"Name","Email","Company","Role","Timestamp","Email status","Source"\r\n')).toBe(
      true,
    );
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

// At any moment the day of one of them is not that of UTC.
it.each(["Pacific/Kiritimati", "Etc/GMT+12"])(
  "a filter by days means those of %s, if chosen",
  async (timeZone) => {
    const at = getUuidTime(await person({ name: `Late in ${timeZone}` }));
    await superadmin.post("/admin/account", { intent: "time-zone", timeZone });
    const isShownOn = async (day: string) =>
      (await open(`?from=${day}&to=${day}`)).includes(`Late in ${timeZone}`);
    const day = zonedDay(at, timeZone);
    expect(await isShownOn(day)).toBe(true);
    expect(await isShownOn(zonedDay(at - days(1), timeZone))).toBe(false);
    expect(await isShownOn(zonedDay(at + days(1), timeZone))).toBe(false);
    await superadmin.post(`${EXPORT}?from=${day}`);
    const [noted] = readRows(server, "select subject from audit order by id desc limit 1");
    expect(noted).toEqual({ subject: `early-access, from ${day} (${timeZone})` });
    await superadmin.post("/admin/account", { intent: "time-zone", timeZone: "UTC" });
  },
);

it("a table has the columns of its form, and no inquirer is called subscribed", async () => {
  const listHeaders = (html: string) =>
    [...html.matchAll(/<th [^>]*>(.*?)<\/th>/gs)]
      .map(([, head]) =>
        head
          ?.replace(/<[^>]+>/g, " ")
          .trim()
          .replace(/ +/g, " "),
      )
      .filter((name) => !name?.startsWith("Select"));
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
  expect(listHeaders(early)).toEqual(["Name Email", "Company", "Role", "Source", "Email status", "Received"]);
  expect(early).toMatch(/>Ironbridge Cycles<.*>Developer<.*>Subscribed</s);
  const inquiries = await read("contact-form");
  expect(listHeaders(inquiries)).toEqual([
    "Name Email",
    "Inquiry type",
    "Message",
    "Source",
    "Status",
    "Received",
    "Actions",
  ]);
  expect(inquiries).toMatch(/>Support<.*>Is it open\?<.*>Open</s);
  expect(inquiries).not.toContain("Subscribed");
  expect(listHeaders(await read("updates-signup"))).toEqual([
    "Name Email",
    "Source",
    "Email status",
    "Received",
  ]);
  const csv = await (await superadmin.post("/admin/submissions/contact-form/export")).text();
  expect(csv).toContain('"Can be emailed","Open","",""');
  expect(csv).not.toContain("Subscribed");
});

describe("what is new since the last visit", () => {
  const MARK = ">New</span>";
  /** The last visit ended three hours ago. */
  const endVisit = () =>
    execute(
      server,
      "insert into visits (account_id, last_seen_at) select id, ? from accounts where role = 'superadmin' on conflict (account_id) do update set new_since = null, last_seen_at = excluded.last_seen_at",
      Math.floor((Date.now() - hours(3)) / minutes(1)) * minutes(1),
    );

  it("is nothing during the first visit", async () => {
    await person();
    const html = await open();
    expect(html).not.toContain(MARK);
    expect(html).not.toContain("since your last visit");
  });

  it("is counted, marked and found by a filter that has an address, and for what is exported and deleted", async () => {
    await person({ name: "Nora" });
    endVisit();
    const html = await open("?q=nobody");
    expect(html).toContain("new since your last visit</a>");
    expect(html).not.toContain(MARK);
    expect(await open("?q=nora")).toContain(MARK);

    const [status, to] = getRedirect(await superadmin.get(`${TABLE}?q=nora&since=last-visit&sort=name`));
    const address = String(to);
    expect(status).toBe(303);
    expect(address).toMatch(/sort=name/);
    expect(address).toMatch(/since=\d{4}-\d\d-\d\dT\d\d%3A\d\dZ/);
    const filtered = await superadmin.read(address);
    expect(filtered).toContain("Only those new since your last visit.");
    expect(filtered).toContain("Nora");
    // The filter form and the other tables keep it.
    expect(filtered).toMatch(/<input type="hidden" name="since" value="\d{4}/);
    expect(filtered).toMatch(/submissions\/updates-signup\?since=/);
    expect(await readText(superadmin.post(address.replace(TABLE, EXPORT)), 200)).toContain("Nora");

    const later = `since=${utcMinute(Date.now() + minutes(2))}`;
    expect(await open(`?${later}`)).toContain("Only those received since");
    expect(await open(`?${later}`)).not.toContain("Nora");
    expect(await readText(superadmin.post(`${EXPORT}?${later}`), 200)).not.toContain("Nora");
    const through = "999999999";
    const deleted = await superadmin.post(TABLE, { intent: "delete", through, since: later.slice(6) });
    expect(deleted.headers.get("Location")).toContain("notice=submissions-gone");
  });

  it("stays the same when the page is loaded again", async () => {
    endVisit();
    await person({ name: "Nils" });
    for (let load = 0; load < 3; load += 1) expect(await open("?q=nils")).toContain(MARK);
  });
});
