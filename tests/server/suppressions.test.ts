import { describe, expect, it } from "vitest";
import { signReport } from "../factories/signed-report";
import { getRedirect } from "./operators";
import { dumpDatabase, execute, readRows } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const SECRET = "0123456789abcdef0123456789abcdef";
const PAGE = "/admin/suppressions";

const server = useServer({ BOUNCE_WEBHOOK_SECRET: SECRET });
const superadmin = useSuperadmin(server);

const open = (search = "") => superadmin.read(`${PAGE}${search}`);
const release = (search: string, fields: Record<string, string>) =>
  superadmin.post(`${PAGE}${search}`, fields);
const getId = (address: string) =>
  String(readRows(server, "select id from suppressions where address = ?", address)[0]?.id);

/** Adds as the page's forms do: all fields in one multipart body. */
function add(fields: Record<string, string>, file?: Blob | string): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file !== undefined) body.set("file", new Blob([file]), "addresses.csv");
  const headers = { ...superadmin.headers, "Sec-Fetch-Site": "same-origin" };
  return server.fetch(`${PAGE}/add`, { method: "POST", body, headers });
}

/** Where the page is that says what was added, without the id of the result. */
const getResult = (answer: Response) => answer.headers.get("Location")?.replace(/&id=[\da-f-]{36}$/, "");

async function complain(address: string, reason: string): Promise<void> {
  const body = JSON.stringify({ events: [{ type: "complaint", address, reason }] });
  const headers = { "Content-Type": "application/json", "X-Signature": signReport(body, SECRET) };
  expect((await server.fetch("/api/bounces", { method: "POST", body, headers })).status).toBe(200);
}

describe("adding addresses", () => {
  it("adds one with a note, and keeps the typed values of a refused form", async () => {
    const answer = await add({ intent: "one", address: "Ada@Example.com", note: "by phone" });
    expect([answer.status, getResult(answer)]).toEqual([303, `${PAGE}/add?added=1&there=0&form=one`]);
    const again = await add({ intent: "one", address: "ada@example.com", note: "" });
    expect(getResult(again)).toBe(`${PAGE}/add?added=0&there=1&form=one`);
    const wrong = add({ intent: "one", address: "a@x.io, <b>@x.io", note: '"><b>' });
    const html = await readText(wrong, 422);
    expect(html).toMatch(/name="address"[^>]*value="a@x.io, &lt;b&gt;@x.io"/);
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(html).toContain("Please enter the address like name@example.com.");
  });

  // C14
  it("adds many from the text and the file, and returns the lines that are no address", async () => {
    const list = "One@example.com\n<script>x</script>\none@example.com\n";
    const answer = add({ intent: "many", list }, 'Email,Name\r\n"two@example.com","x"\r\n');
    const html = await readText(answer, 422);
    expect(html).toContain("2 addresses added.");
    expect(html).toContain("1 line is not an address.");
    expect(html).toMatch(/<textarea[^>]*>\n?&lt;script&gt;x&lt;\/script&gt;<\/textarea>/);
    expect(html).toContain("Line 2");
    expect(html).not.toContain("<script>x");
    expect(readRows(server, "select reason from suppressions where address = 'two@example.com'")).toEqual([
      { reason: "imported" },
    ]);
    const rest = await add({ intent: "many", list: "three@example.com" }, "");
    expect(getResult(rest)).toBe(`${PAGE}/add?added=1&there=0&form=many`);
    const nothing = await readText(add({ intent: "many", list: " \n" }, ""), 422);
    expect(nothing).toContain("Please paste addresses here");
  });

  // R47
  it("reads a file in UTF-16, and refuses another encoding", async () => {
    const list = "typed@example.com\n";
    const latin = new Blob([Buffer.from("Email,Name\r\nnew@example.com,J\xfcrgen\r\n", "latin1")]);
    const html = await readText(add({ intent: "many", list }, latin), 422);
    expect(html).toContain("Line 2 of the file is not in UTF-8 or UTF-16.");
    expect(html).toMatch(/<textarea[^>]*>\n?typed@example\.com\r?\n<\/textarea>/);
    const stored =
      "select address from suppressions where address in ('typed@example.com', 'new@example.com')";
    expect(readRows(server, stored)).toEqual([]);
    const utf16 = new Blob([Buffer.from("\ufeffEmail\tName\r\nnew@example.com\tJürgen\r\n", "utf16le")]);
    expect(getResult(await add({ intent: "many", list }, utf16))).toBe(
      `${PAGE}/add?added=2&there=0&form=many`,
    );
    expect(readRows(server, stored)).toHaveLength(2);
  });

  it("returns a line with several addresses, and says which line of the file", async () => {
    const list = "ann@x.io, bob@x.io";
    const html = await readText(add({ intent: "many", list }, "Email\nnobody\n"), 422);
    expect(html).toContain("2 lines are not addresses.");
    expect(html.replaceAll("<!-- -->", "")).toMatch(/>Line 1:<.*>File, line 2:</s);
    expect(html).toMatch(/<textarea[^>]*>\n?ann@x\.io, bob@x\.io\nnobody<\/textarea>/);
    expect(readRows(server, "select id from suppressions where address like '%@x.io'")).toEqual([]);
  });

  it("returns at most the first 200 wrong lines, whole, and quotes the beginning of five", async () => {
    const html = await (await add({ intent: "many", list: `${"x".repeat(400)}\n`.repeat(300) })).text();
    expect(html).toContain("300 lines are not addresses.");
    expect(html).toContain("The first 200 are kept below");
    expect(html).not.toContain("They are kept below");
    // 300 lines of 400 characters were typed.
    const kept = /<textarea[^>]*>([^<]*)</.exec(html)?.[1] ?? "";
    expect(kept.split("\n").filter((line) => line !== "")).toHaveLength(200);
    expect(kept).toContain("x".repeat(400));
    const quoted = [...html.matchAll(/<bdi[^>]*>(x+)</g)].map(([, text = ""]) => text.length);
    expect(quoted).toEqual([300, 300, 300, 300, 300]);
  });

  // C25
  it("accepts a file of up to 2 MiB, unlike other pages", async () => {
    const line = (index: number) => `${String(index).padStart(9, "0")}@example.com,${"x".repeat(60)}\n`;
    const file = Array.from({ length: 24_000 }, (_, index) => line(index)).join("");
    expect(file.length).toBeGreaterThan(1.8 * 1024 * 1024);
    const answer = await add({ intent: "many", list: "" }, file);
    expect(getResult(answer)).toBe(`${PAGE}/add?added=24000&there=0&form=many`);
    const tooLong = await add({ intent: "many", list: "" }, "x".repeat(2 * 1024 * 1024));
    expect([tooLong.status, await tooLong.text()]).toEqual([413, expect.stringContaining("2 MB")]);
    const headers = { ...superadmin.headers, "Sec-Fetch-Site": "same-origin" };
    const body = new FormData();
    body.set("id", "x".repeat(65 * 1024));
    expect((await server.fetch(PAGE, { method: "POST", body, headers })).status).toBe(413);
  });

  it.each([
    ["no button", {}],
    ["an unknown button", { intent: "constructor" }],
  ])("with %s changes nothing", async (_, fields) => {
    const before = dumpDatabase(server);
    expect((await add(fields)).headers.get("Location")).toBe(`${PAGE}/add`);
    expect(dumpDatabase(server)).toBe(before);
  });
});

it("the list does not say that it is newest first in another order", async () => {
  await add({ intent: "many", list: "a@example.com\nz@example.com" });
  const html = await open("?sort=address");
  expect(html).toContain(">Suppressed addresses</caption>");
  expect(html).not.toMatch(/newest/i);
  const last = await open(`?sort=address&after=${getId("z@example.com")}`);
  expect(last).toContain(">Show the first page</a>");
  expect(last).not.toMatch(/newest/i);
});

describe("releasing", () => {
  it("keeps the list's page when there is nothing to ask about", async () => {
    const list = `${PAGE}?prefix=a&before=${crypto.randomUUID()}`;
    const getLocation = async (search: string) =>
      (await superadmin.get(`${list}&step=release${search}`)).headers.get("Location");
    expect(await getLocation("")).toBe(`${list}&notice=no-suppression-selected`);
    expect(await getLocation(`&id=${crypto.randomUUID()}`)).toBe(`${list}&notice=suppressions-gone`);
  });

  // C36
  it("asks first, and needs a reason for a person who complained, for the audit", async () => {
    await complain("angry@example.com", "abuse");
    const id = getId("angry@example.com");
    const before = dumpDatabase(server);
    expect(await open(`?step=release&id=${id}`)).toContain("Release 1 address?");
    expect(dumpDatabase(server)).toBe(before);

    const refused = release(`?step=release&id=${id}`, { intent: "release", id, because: " " });
    const html = await readText(refused, 422);
    expect(html).toContain("<dialog");
    expect(html).toMatch(/aria-invalid="true"[^>]*name="because"|name="because"[^>]*aria-invalid="true"/);
    expect(dumpDatabase(server)).toBe(before);

    const fields = { intent: "release", id, because: "wrote to us" };
    const locations = [];
    for (let time = 0; time < 2; time += 1) {
      locations.push((await release("?prefix=angry", fields)).headers.get("Location"));
    }
    expect(locations).toEqual([
      `${PAGE}?prefix=angry&count=1&notice=suppressions-released`,
      `${PAGE}?prefix=angry&notice=suppressions-gone`,
    ]);
    expect(readRows(server, "select subject from audit where action = 'release-suppressed'")).toEqual([
      { subject: "angry@example.com (wrote to us)" },
    ]);
  });
});

// C36
it("a release asks for the reason once somebody has opted out since the question", async () => {
  await add({ intent: "one", address: "left@example.com", note: "" });
  const id = getId("left@example.com");
  const question = `?prefix=left&step=release&id=${id}`;
  expect(await open(question)).not.toContain('name="because"');
  execute(server, "update suppressions set opted_out = 1 where id = ?", id);
  const answer = await release(question, { intent: "release", id });
  expect(getRedirect(answer)).toEqual([303, `${PAGE}${question}`]);
  expect(await open(question)).toContain('name="because"');
  expect(getId("left@example.com")).toBe(id);
});

describe("content from others", () => {
  // C14
  it("is shown as text, in the list and in the question", async () => {
    const reason = "</script><script>x</script> {{7*7}} \u202Eevil";
    const address = "=cmd|'{{7*7}}'@example.com";
    await complain(address, reason);
    const html = await open("?reason=complained");
    expect(html).toContain("&lt;/script&gt;&lt;script&gt;x&lt;/script&gt; {{7*7}} \u202Eevil</bdi>");
    expect(html).toMatch(/<bdi[^>]*>=cmd\|&#x27;{{7\*7}}&#x27;@example\.com<\/bdi>/);
    expect(html).not.toContain("<script>x");
  });

  // C21, C36
  it("is no formula in an export, which is filtered and recorded in the audit", async () => {
    await complain("+1-2@example.com", "=HYPERLINK(0)");
    const answer = await superadmin.post(`${PAGE}/export?reason=complained&prefix=%2B&sort=address`);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="suppressions-[\d-]+\.csv"$/,
    );
    const csv = await answer.text();
    const [header, first] = csv.split("\r\n");
    expect(header).toBe('"Address","Reason","Detail","Opted out","Campaign","Time (UTC)"');
    expect(first).toMatch(/^"'\+1-2@example\.com","Complained","'=HYPERLINK\(0\)","yes","","20/);
    expect(csv).not.toContain("imported");
    expect(csv).not.toMatch(/(?:^|,)"[=+@-]/m);
    const [entry] = readRows(server, "select action, subject from audit order by id desc limit 1");
    expect(entry).toEqual({
      action: "export-suppressions",
      subject: 'reason complained, address starts with "+"',
    });
    // An export can be imported again, as after a restore.
    const count = csv.split("\r\n").length - 2;
    const back = await add({ intent: "many", list: "" }, csv);
    expect(getResult(back)).toBe(`${PAGE}/add?added=0&there=${count}&form=many`);
    execute(server, "delete from suppressions where reason = 'complained'");
    const restored = await add({ intent: "many", list: "" }, csv);
    expect(getResult(restored)).toBe(`${PAGE}/add?added=${count}&there=0&form=many`);
    const optedOut = "select opted_out from suppressions where address = '+1-2@example.com'";
    expect(readRows(server, optedOut)).toEqual([{ opted_out: 1 }]);
  });

  it("is not exported by GET, which redirects to the page", async () => {
    const page = await superadmin.get(`${PAGE}/export?reason=complained&prefix=A`);
    expect(getRedirect(page)).toEqual([303, `${PAGE}?reason=complained&prefix=a`]);
  });
});

// C20
it("a test email to a suppressed address is refused at its field, and not sent", async () => {
  const fields = { intent: "test", audience: "early-access", testAddress: "Ada@example.com" };
  const answer = superadmin.post("/admin/dashboard", { ...fields, title: "", message: "" });
  expect(await readText(answer, 422)).toContain(
    "This address is on the suppression list, so nothing was sent.",
  );
  expect(readRows(server, "select id from outbox_emails")).toEqual([]);
});
