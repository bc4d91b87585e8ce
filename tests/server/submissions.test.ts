import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { dumpOf, rowsOf, signUp, someone, stampOfAPerson } from "./visitors";

const TABLE = "/admin/submissions/early-access";
const EXPORT = `${TABLE}/export`;

let server: ServerProcess;
let signedIn: Record<string, string>;
let stamp: string;
beforeAll(async () => {
  server = await sharedServer();
  signedIn = { Cookie: await logIn(server, undefined, someone()) };
  stamp = await stampOfAPerson(server);
});

let people = 0;
/** Somebody new who signs up; resolves with the stored id. */
async function person(fields: Record<string, string> = {}): Promise<string> {
  const email = `person-${++people}@example.com`;
  const answer = await signUp(server, { stamp, email, ...fields }, someone());
  expect(answer.status).toBe(303);
  return String(rowsOf(server, "select id from submissions where email = ?", email)[0]?.id);
}
const open = (search = "", headers = signedIn) => server.fetch(TABLE + search, { headers });
const press = (fields: Record<string, string> | [string, string][], headers = signedIn) =>
  server.fetch(TABLE, formPost(new URLSearchParams(fields), headers));
const stateOf = (id: string) => rowsOf(server, "select state from submissions where id = ?", id)[0]?.state;
const where = (answer: Response) => [answer.status, answer.headers.get("Location")];

describe("only who is signed in sees, takes away and deletes submissions (C9)", () => {
  it("everybody else is led to the login, and nothing is changed or told (C9)", async () => {
    const id = await person({ name: "Secret Person" });
    const login = (path: string) => [303, `/login?redirectTo=${encodeURIComponent(path)}`];
    const visitor = someone();
    expect(where(await open("", visitor))).toEqual(login(TABLE));
    expect(where(await press({ intent: "delete", id }, visitor))).toEqual(login(TABLE));
    const taken = await server.fetch(EXPORT, formPost({}, visitor));
    expect(where(taken)).toEqual(login(EXPORT));
    expect(await taken.text()).not.toContain("Secret Person");
    expect(stateOf(id)).toBe("accepted");
  });

  it("looking changes nothing, at the table, its question and the address of its copy (C8)", async () => {
    const id = await person();
    const before = dumpOf(server);
    for (const search of ["", `?step=delete&id=${id}`, `?step=delete&through=${id}`, "?q=person&sort=name"]) {
      expect((await open(search)).status).toBe(200);
    }
    expect(where(await server.fetch(`${EXPORT}?q=ada`, { headers: signedIn }))).toEqual([
      303,
      `${TABLE}?q=ada`,
    ]);
    expect(dumpOf(server)).toBe(before);
  });
});

describe("what does not make sense", () => {
  it.each([
    ["a day that is none", "from=2026-02-31", "Please enter a day like 2026-11-21."],
    ["a last day before the first", "from=2026-02-02&to=2026-02-01", "This day is before the first one."],
    ["a choice nobody offered", "choice=constructor", "Please choose one of these."],
    ["a state that is none", "mail=__proto__", "Please choose one of these."],
    ["an order that is none", "sort=x", "Please choose one of these."],
    ["a search that is too long", `q=${"x".repeat(101)}`, "Please search for at most 100 characters."],
  ])("%s is said at its field, and nothing is shown or taken away (422)", async (_, search, sentence) => {
    const answer = await open(`?${search}`);
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain(sentence);
    expect(html).not.toContain("person-1@example.com");
    const copy = await server.fetch(`${EXPORT}?${search}`, formPost({}, signedIn));
    expect(copy.status).toBe(303);
    const deleted = await press([
      ...new URLSearchParams(`${search}&intent=delete`),
      ["through", "f".repeat(8)],
    ]);
    expect(deleted.status).toBe(303);
    expect(rowsOf(server, "select id from submissions where state = 'deleted'")).toEqual([]);
  });

  it.each([
    "?after=%00",
    "?id=%00&step=delete",
    "?step=delete&through=%00",
    "?step=x",
    "?q=%00",
    "?notice=x",
  ])("%s is no fault (R13)", async (search) => expect((await open(search)).status).toBeLessThan(400));

  it.each([
    ["an unknown button", { intent: "constructor" }],
    ["no id", { intent: "delete" }],
    ["ids that are none", { intent: "delete", id: "../..\0" }],
    ["an end that is none", { intent: "delete", through: "\0" }],
    ["a deletion that is none", { intent: "undo", deletion: "x".repeat(3000) }],
  ])("%s changes nothing and leads back to the table (R13)", async (_, fields) => {
    await person();
    const before = dumpOf(server);
    const answer = await press(fields as Record<string, string>);
    expect(answer.headers.get("Location")).toMatch(/^\/admin\/submissions\/early-access(\?|$)/);
    expect(dumpOf(server)).toBe(before);
  });

  it("an unknown form leads to the first table", async () => {
    const answer = await server.fetch("/admin/submissions/x", { headers: signedIn });
    expect(where(answer)).toEqual([303, "/admin/submissions"]);
  });
});

describe("deleting", () => {
  it("a page as long as it gets can be selected and asked about: its URL is not too long (R17)", async () => {
    const ids = [];
    while (ids.length < 25) ids.push(await person({ name: "Many" }));
    const search = new URLSearchParams(
      [
        ["q", "é".repeat(100)] as const,
        ["from", "2026-01-01"] as const,
        ["to", "2036-01-01"] as const,

        ["choice", "executive"] as const,
        ["mail", "unsubscribed"] as const,
        ["sort", "address"] as const,
        ...ids.map((id) => ["id", id] as const),
      ].map(([name, value]) => [name, value]),
    );
    search.set("step", "delete");
    const question = await open(`?${search}`);
    expect(question.status).toBe(200);
    expect(await question.text()).toContain("Delete 25 submissions?");
  });

  it("of all that match names their number, and of a whole table asks for a word", async () => {
    await person({ name: "Odile" });
    const through = await person({ name: "Odette" });
    const all = Number(
      rowsOf(server, "select count(*) as n from submissions where state = 'accepted'")[0]?.n,
    );
    await person({ name: "Later" });
    const whole = await (await open(`?step=delete&through=${through}`)).text();
    expect(whole).toContain(`Delete ${all} submissions?`);
    expect(await (await open(`?q=od&step=delete&through=${through}`)).text()).toContain(
      "Delete 2 submissions?",
    );

    const refused = await press({ intent: "delete", through, word: "yes" });
    expect(refused.status).toBe(422);
    expect(stateOf(through)).toBe("accepted");
    const deleted = await press({ intent: "delete", through, q: "od" });
    expect(deleted.headers.get("Location")).toContain("notice=submissions-deleted");
    expect(stateOf(through)).toBe("deleted");
  });

  it("hides at once, is undone once, and says when there is nothing to do", async () => {
    const id = await person({ name: "Gone Girl" });
    const deleted = await press({ intent: "delete", id, q: "gone" });
    const [, deletion] = /deletion=([0-9a-f-]{36})/.exec(deleted.headers.get("Location") ?? "") ?? [];
    expect(where(deleted)).toEqual([303, `${TABLE}?q=gone&deletion=${deletion}&notice=submissions-deleted`]);
    expect(stateOf(id)).toBe("deleted");
    expect(await (await open()).text()).not.toContain("Gone Girl");
    expect(await (await server.fetch("/admin/dashboard", { headers: signedIn })).text()).not.toContain(
      "Gone Girl",
    );
    expect((await press({ intent: "delete", id })).headers.get("Location")).toBe(
      `${TABLE}?notice=submissions-gone`,
    );
    const undo = () => press({ intent: "undo", deletion: deletion! });
    expect((await undo()).headers.get("Location")).toBe(`${TABLE}?notice=submissions-restored`);
    expect(stateOf(id)).toBe("accepted");
    expect((await undo()).headers.get("Location")).toBe(`${TABLE}?notice=deletion-over`);
  });
});

describe("what people typed", () => {
  // A NUL is refused at the door.
  const texts = HOSTILE_TEXTS.filter((text) => !text.includes("\0"));
  let ids: string[];
  beforeEach(async () => {
    ids ??= await Promise.all(
      texts.map((text) => person({ name: text.replace(/[\r\n]+/g, " "), company: "x" })),
    );
  });

  it("is shown as text on the table and in the question (C14, R25)", async () => {
    for (const search of [
      "?sort=newest",
      `?${ids
        .slice(0, 5)
        .map((id) => `id=${id}`)
        .join("&")}&step=delete`,
    ]) {
      const html = await (await open(search)).text();
      for (const live of ["<script>document", "<img src=x", "<svg onload"]) expect(html).not.toContain(live);
    }
    const html = await (await open(`?q=${encodeURIComponent("img")}`)).text();
    expect(html).toContain("&lt;img src=x onerror");
  });

  it("is taken away defused: every name once, no cell a formula, and one entry in the activity (C21)", async () => {
    const answer = await server.fetch(`${EXPORT}?q=&sort=oldest`, formPost({}, signedIn));
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="early-access-[\d-]+\.csv"$/,
    );
    const csv = await answer.text();
    expect(csv.startsWith('"Name","Email","Company","Role","Timestamp","Email status"\r\n')).toBe(true);
    const lines = csv.split("\r\n").slice(1, -1);
    const accepted = rowsOf(server, "select email from submissions where state = 'accepted' order by id");
    expect(lines.map((line) => /"(person-\d+@example.com)"/.exec(line)?.[1])).toEqual(
      accepted.map((row) => row.email),
    );
    for (const text of ["=cmd|", "+1+cmd", "-2+3", "@SUM", "\uFF1D1+1"]) expect(csv).toContain(`"'${text}`);
    for (const line of lines) expect(line).not.toMatch(/(^|,)"[=+\-@\t\uFF1D]/);
    const entries = rowsOf(server, "select subject from audit where action = 'export-submissions'");
    expect(entries).toEqual([{ subject: "early-access, all of it" }]);
  });
});

describe("a copy", () => {
  it("holds those that the filter of its address lets through, and no others", async () => {
    await person({ name: "Copied Alone" });
    await person({ name: "Left Out" });
    const answer = await server.fetch(`${EXPORT}?q=copied`, formPost({}, signedIn));
    const lines = (await answer.text()).split("\r\n").slice(1, -1);
    expect(lines).toEqual([expect.stringContaining('"Copied Alone"')]);
  });
});
