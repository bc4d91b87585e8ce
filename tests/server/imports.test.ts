import { describe, expect, it, onTestFinished } from "vitest";
import { getValue } from "./form-html";
import { readText } from "./session";
import { getRedirect } from "./operators";
import { useServer, useSuperadmin } from "./use-server";
import { execute, readRows } from "./visitors";
import { waitUntil } from "../wait-until";

const PAGE = "/admin/people/import";

const server = useServer();
const superadmin = useSuperadmin(server);

/** Uploads as the page's form does. */
function upload(
  file: Blob | string | Buffer<ArrayBuffer>,
  { headers = superadmin.headers, path = PAGE } = {},
) {
  const body = new FormData();
  body.set("delimiter", "");
  body.set("file", new Blob([file]), "people.csv");
  return server.fetch(path, {
    method: "POST",
    body,
    headers: { ...headers, "Sec-Fetch-Site": "same-origin" },
  });
}

/** Uploads a file, says what its columns are, and waits for the dry run. @returns the import's path. */
async function check(file: string): Promise<string> {
  const [, columns = ""] = getRedirect(await upload(file));
  const path = String(columns).replace(/\/columns$/, "");
  const settings = {
    intent: "check",
    kind: "early-access",
    consent: "Signed up at the fair.",
    "column-email": "0",
  };
  expect(getRedirect(await superadmin.post(String(columns), settings))).toEqual([303, path]);
  await untilState(path, "checked");
  return path;
}

const readSettings = async (path: string) => getValue(await superadmin.read(path), "settings");

/** Starts an import as its page offers it. */
const start = async (path: string, settings?: string) =>
  superadmin.post(path, { intent: "start", settings: settings ?? (await readSettings(path)) });

const getState = (path: string) =>
  readRows(server, "select state from imports where id = ?", path.split("/").at(-1) ?? "")[0]?.state;
const untilState = (path: string, state: string) => waitUntil(() => getState(path) === state);

describe("a file of people", () => {
  it("may have 8 MB, of a signed-in operator and for this page alone", async () => {
    const line = `${"x".repeat(80)},a@example.com\n`;
    const large = `Note,Email\n${line.repeat(60_000)}`;
    expect((await upload(large, { headers: {} as typeof superadmin.headers })).status).toBe(413);
    expect((await upload(large, { path: "/admin/people" })).status).toBe(413);
    expect(getRedirect(await upload(large))[0]).toBe(303);
    const tooLarge = await upload(`Note,Email\n${line.repeat(90_000)}`);
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.text()).toContain("8 MB");
  });

  it.each([
    ["nothing", "", "The file is empty."],
    ["a line of 4 MB", `Email\n${"x".repeat(4_000_000)}`, "Line 2 is longer than 64 KB"],
    ["NULs", "Email\na@example.com\n\0\n", "Line 3 has a NUL character"],
    ["1,000 columns", `Email${",x".repeat(999)}\n`, "Line 1 has more than 100 columns."],
    ["an open quote", 'Email\na@example.com\n"b@example.com\n', "Line 3 has a quote that is never closed"],
  ])("with %s is refused in a sentence", async (_, file, sentence) => {
    expect(await readText(upload(file), 422)).toContain(sentence);
  });

  it("is asked for when there is none, with the separator kept", async () => {
    const html = await readText(superadmin.post(PAGE, { delimiter: ";" }), 422);
    expect(html).toContain("Please choose a file.");
    expect(html).toMatch(/<option value=";" selected="">/);
  });

  it("of UTF-16, with formulas, is imported, and the rest is downloaded in its own columns", async () => {
    const text = '=1+1,Email,reason\n=cmd(),ada@example.com,x\n"=HYPERLINK(""x"")",nobody,y\n';
    const columns = String(getRedirect(await upload(Buffer.from(`\ufeff${text}`, "utf16le")))[1]);
    const path = columns.replace(/\/columns$/, "");
    const html = await superadmin.read(columns);
    expect(html).toContain("=cmd()");
    const nothing = { intent: "check", kind: "early-access", consent: "", "column-email": "1" };
    expect(await readText(superadmin.post(columns, nothing), 422)).toContain(
      "Please say where the consent comes from",
    );
    const settings = { ...nothing, consent: "Signed up at the fair.", "column-name": "0" };
    expect(getRedirect(await superadmin.post(columns, settings))).toEqual([303, path]);
    await untilState(path, "checked");
    expect(await superadmin.read(path)).toContain("Import 1 person");
    expect(getRedirect(await start(path))).toEqual([303, path]);
    await untilState(path, "finished");
    const people = readRows(server, "select name, source from people where email_key = 'ada@example.com'");
    expect(people).toEqual([{ name: "=cmd()", source: "import" }]);
    const csv = await (await superadmin.post(`${path}/rest`, {})).text();
    expect(csv).toBe(
      `"'=1+1","Email","reason","reason"\r\n"'=HYPERLINK(""x"")","nobody","y","This is not an email address."\r\n`,
    );
    expect(await superadmin.read(`${path}?state=invalid`)).toContain("This is not an email address.");
  });

  it("cannot be started twice, nor undone before it was imported", async () => {
    const path = await check("Email\ntwice@example.com\n");
    expect(getRedirect(await superadmin.post(path, { intent: "undo" }))[1]).toContain("notice=import-gone");
    // Pressed again because no answer came, it says what became of the first press.
    const settings = await readSettings(path);
    for (let press = 0; press < 2; press += 1) {
      expect(getRedirect(await start(path, settings))).toEqual([303, path]);
    }
    await untilState(path, "finished");
    expect(getRedirect(await superadmin.post(path, { intent: "cancel" }))[1]).toContain("notice=import-gone");
    expect(getRedirect(await superadmin.post(path, { intent: "undo" }))).toEqual([303, path]);
    await untilState(path, "undone");
    expect(readRows(server, "select id from people where email_key = 'twice@example.com'")).toEqual([]);
  });

  it("is not started with what a colleague chose after it was checked", async () => {
    const path = await check("Email\nchosen@example.com\n");
    const seen = await readSettings(path);
    await superadmin.post(`${path}/columns`, {
      intent: "check",
      kind: "updates-signup",
      consent: "Asked for news.",
      "column-email": "0",
    });
    await untilState(path, "checked");
    expect(getRedirect(await start(path, seen))).toEqual([303, `${path}?notice=import-gone`]);
    expect(getState(path)).toBe("checked");
    expect(getRedirect(await start(path))).toEqual([303, path]);
    await untilState(path, "finished");
  });

  it("is discarded once, whichever page is asked again", async () => {
    const discarded = [303, `${PAGE}?notice=import-discarded`];
    const [path, another] = [
      await check("Email\none@example.com\n"),
      await check("Email\ntwo@example.com\n"),
    ];
    for (const page of [path, path, `${another}/columns`, `${another}/columns`]) {
      expect(getRedirect(await superadmin.post(page, { intent: "discard" }))).toEqual(discarded);
    }
    const late = [303, `${PAGE}?notice=import-gone`];
    expect(getRedirect(await start(path, ""))).toEqual(late);
    expect(getRedirect(await superadmin.post(`${path}/columns`, { intent: "check" }))).toEqual(late);
  });

  it("is checked in the encoding that is chosen beside its columns, though nobody applied it", async () => {
    const file = Buffer.from("Email;Name\nlatin@example.com;\xc5ngstr\xf6m\n", "latin1");
    const columns = String(getRedirect(await upload(file))[1]);
    const path = columns.replace(/\/columns$/, "");
    const settings = { intent: "check", encoding: "windows-1250", "column-email": "0", "column-name": "1" };
    expect(await readText(superadmin.post(columns, settings), 422)).toContain("Ĺngström");
    await superadmin.post(columns, { ...settings, consent: "Signed up at the fair." });
    await untilState(path, "checked");
    expect(await superadmin.read(path)).toContain("Ĺngström");
  });

  it("that a colleague began is said to be unchanged, on its page", async () => {
    const path = await check("Email\nbegun@example.com\n");
    await start(path);
    await untilState(path, "finished");
    const gone = [303, `${path}?notice=import-gone`];
    for (const intent of ["discard", "check", "encoding"]) {
      expect(getRedirect(await superadmin.post(`${path}/columns`, { intent }))).toEqual(gone);
    }
  });

  it("whose columns a colleague changes cannot be started, and says so there", async () => {
    const columns = String(getRedirect(await upload("Email\nnot-yet@example.com\n"))[1]);
    const path = columns.replace(/\/columns$/, "");
    const answer = await start(path, "");
    expect(getRedirect(answer)).toEqual([303, `${columns}?notice=import-gone`]);
  });

  it("shows the chosen lines again when it refreshes itself, and links to the first ones from an empty page", async () => {
    const path = await check("Email\nnobody\n");
    const id = path.split("/").at(-1) ?? "";
    const last = `${path}?state=invalid&after=2`;
    const html = await superadmin.read(last);
    expect(html).toContain("No more results.");
    expect(html).toContain(`href="${path}?state=invalid"`);
    // The worker cannot go on.
    execute(
      server,
      `begin;
       update imports set state = 'running' where id = '${id}';
       create trigger stuck before update on imports begin select raise(abort, 'stuck'); end;
       commit`,
    );
    onTestFinished(() =>
      execute(
        server,
        `begin;
         drop trigger stuck;
         update imports set state = 'checked' where id = '${id}';
         commit`,
      ),
    );
    expect(await superadmin.read(last)).toContain('<meta http-equiv="refresh" content="2"/>');
  });

  it("with nobody new mentions no mirror", async () => {
    const path = await check("Email\nnobody\n");
    await start(path);
    await untilState(path, "finished");
    execute(server, "update imports set is_mirrored = 1 where id = ?", path.split("/").at(-1) ?? "");
    const html = await superadmin.read(path);
    expect(html).toContain("0 people were imported");
    expect(html).not.toContain("They are sent to the mirror");
  });
});
