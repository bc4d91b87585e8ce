import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { open, post } from "../../server/fixtures/raw-http";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { formPost, logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, freshStamp, rowsOf, SIGNED_UP, signUp, someone, stampOfAPerson } from "./visitors";

const FAILURE = "Something went wrong. Please try again.";
const FORM_SECRET = "a secret of these tests, long enough for it";

let server: ServerProcess;
let stamp: string;
beforeAll(async () => {
  server = await startServer({ ...BEHIND_A_PROXY, FORM_SECRET });
  stamp = await stampOfAPerson(server);
});
afterAll(() => server.remove());

let people = 0;
const newEmail = () => `person-${++people}@example.com`;
/** An honest signup by somebody new; give what differs. */
const send = (fields: Record<string, string> = {}, headers = someone()) =>
  signUp(server, { stamp, email: newEmail(), ...fields }, headers);
const stored = (email: string) => rowsOf(server, "select * from submissions where email = ?", email);

/** What stands in a field of a page, as a browser reads it. */
function valueOf(html: string, name: string): string | undefined {
  const tag = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0];
  return unescaped(/ value="([^"]*)"/.exec(tag ?? "")?.[1] ?? "");
}

/** The error a page ties to a field, by following aria-describedby. */
function errorOf(html: string, name: string): string | undefined {
  const tag = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
  if (!tag.includes('aria-invalid="true"')) return undefined;
  const ids = / aria-describedby="([^"]*)"/.exec(tag)?.[1]?.split(" ") ?? [];
  const texts = ids.map((id) => new RegExp(`id="${id}"[^>]*>(.*?)</p>`, "s").exec(html)?.[1] ?? "");
  return unescaped((texts.at(-1) ?? "").replace(/<[^>]*>/g, ""));
}

function unescaped(html: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => named[name] ?? "");
}

describe("a form's fields have limits (C25)", () => {
  it.each([
    ["letters", "a"],
    ["emoji, each counted as one", "😀"],
    ["letters with a combining accent, counted after NFC", "e\u0301"],
  ])("a name of 200 %s is stored, and one more is 422 with everything as typed (C25)", async (_, sign) => {
    const email = newEmail();
    const fits = await send({ email, name: sign.repeat(200) });
    expect([fits.status, fits.headers.get("Location")]).toEqual([303, SIGNED_UP]);
    expect(stored(email).map((row) => row.name)).toEqual([sign.repeat(200).normalize("NFC")]);

    const typed = { name: sign.repeat(201), email: newEmail(), company: `"A" & <B>`, role: "manager" };
    const refused = await send(typed);
    const html = await refused.text();
    expect(refused.status).toBe(422);
    expect(errorOf(html, "name")).toBe("Please shorten your full name to 200 characters.");
    for (const name of ["name", "email", "company"] as const) expect(valueOf(html, name)).toBe(typed[name]);
    expect(html).toMatch(/<option value="manager" selected/);
    expect(errorOf(html, "email")).toBeUndefined();
    expect(stored(typed.email)).toEqual([]);
  });

  const longest = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;
  it.each([
    ["no name", { name: "  " }, "name", "Please enter your full name."],
    ["a name with a NUL", { name: "Ada\0Byron" }, "name", /NUL character/],
    ["a name of two lines", { name: "Ada\r\nByron" }, "name", /on one line/],
    ["no address", { email: "" }, "email", "Please enter your email address."],
    ["an address that is none", { email: "ada@localhost" }, "email", /like name@example\.com/],
    ["two addresses", { email: "a@x.com, b@x.com" }, "email", /like name@example\.com/],
    ["an address of 255 characters", { email: `x${longest}` }, "email", /254 characters/],
    ["a company of 201 characters", { company: "c".repeat(201) }, "company", /200 characters/],
  ])("%s is 422 with a sentence at its field (C25)", async (_, fields, name, sentence) => {
    const before = rowsOf(server, "select id from submissions").length;
    const answer = await send(fields);
    expect(answer.status).toBe(422);
    expect(errorOf(await answer.text(), name)).toMatch(sentence);
    expect(rowsOf(server, "select id from submissions")).toHaveLength(before);
  });

  it("an address of 254 characters is stored (C25)", async () => {
    expect((await send({ email: longest })).status).toBe(303);
    expect(stored(longest)).toHaveLength(1);
  });

  it("a field that comes twice and a role nobody offered are 422 (C25)", async () => {
    const twice = new URLSearchParams({ stamp, name: "Ada", email: newEmail() });
    twice.append("email", newEmail());
    expect((await server.fetch("/early-access", formPost(twice, someone()))).status).toBe(422);
    expect((await send({ role: "emperor" })).status).toBe(422);
  });

  it.each([
    ["65 KiB", 413, `name=${"a".repeat(65 * 1024)}`, "application/x-www-form-urlencoded"],
    ["JSON", 415, "{}", "application/json"],
    ["plain text", 415, "name=Ada", "text/plain"],
    ["multipart without a boundary", 400, "name=Ada", "multipart/form-data"],
    ["multipart that is something else", 400, "name=Ada", "multipart/form-data; boundary=x"],
    [
      "multipart cut off",
      400,
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda',
      "multipart/form-data; boundary=x",
    ],
  ])("a body of %s is %i (C25)", async (_, status, body, type) => {
    const answer = await post(server.port, "/early-access", body, { ...someone(), "Content-Type": type });
    expect(answer.status).toBe(status);
    expect(answer.headers["x-frame-options"]).toBe("DENY");
  });
});

describe("the same form lands once (C26)", () => {
  it("sent 50 times at once, and again after a crash, it is one row and always the same answer (C26)", async () => {
    const fields = { stamp, name: "Grace Hopper", email: newEmail(), company: "Navy", role: "executive" };
    const visitor = someone();
    const answerOf = async () => {
      const answer = await signUp(server, fields, visitor);
      return [answer.status, answer.headers.get("Location"), await answer.text()];
    };
    const answers = await Promise.all(Array.from({ length: 50 }, answerOf));
    await server.kill();
    await server.restart();
    answers.push(await answerOf());
    expect(new Set(answers.map(String))).toEqual(new Set([String([303, SIGNED_UP, ""])]));
    expect(stored(fields.email)).toHaveLength(1);
    const [counted] = rowsOf(server, "select count from submission_counts where state = 'accepted'");
    const accepted = rowsOf(server, "select id from submissions where state = 'accepted'");
    expect(counted?.count).toBe(accepted.length);
  });
});

describe("programs are kept apart from people (C27)", () => {
  it.each([
    ["the field people do not see", "honeypot", async () => ({ website: "https://spam.example" })],
    ["no time to read it", "too-fast", async () => ({ stamp: await freshStamp(server) })],
    ["a stamp of their own making", "forged-form", async () => ({ stamp: "tougrl.AAAAAAAAAAAAAAAAAAAAAA" })],
  ])("a form filled in with %s looks accepted and is shown to nobody (C27)", async (_, reason, fields) => {
    const email = newEmail();
    const answer = await send({ email, ...(await fields()) });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, SIGNED_UP]);
    expect(stored(email)).toMatchObject([{ state: "quarantined", quarantine_reason: reason }]);
    const headers = { Cookie: await logIn(server, undefined, someone()) };
    expect(await (await server.fetch("/admin/dashboard", { headers })).text()).not.toContain(email);
  });

  it("a form left open for over a day comes back as typed, with a stamp that works (C27)", async () => {
    const typed = { name: "Zoë", email: newEmail() };
    const old = createFormStamps(FORM_SECRET).make(Date.now() - 24 * 3_600_000 - 5000);
    const visitor = someone();
    const answer = await signUp(server, { ...typed, stamp: old }, visitor);
    const html = await answer.text();
    expect([answer.status, valueOf(html, "name"), valueOf(html, "email")]).toEqual([422, "Zoë", typed.email]);
    expect(html).toContain(FAILURE);
    expect(stored(typed.email)).toEqual([]);
    expect(valueOf(html, "stamp")).not.toBe(old);
    expect(valueOf(html, "stamp")).toMatch(/^\w+\.[\w-]{22}$/);
  });

  it("the eleventh different form of a minute is 429, keeps what was typed and says when to come back (C27)", async () => {
    const visitor = someone();
    for (let sent = 1; sent <= 10; sent += 1) expect((await send({}, visitor)).status).toBe(303);
    const typed = { name: "Number Eleven", email: newEmail(), company: "Too much" };
    const answer = await send(typed, visitor);
    const html = await answer.text();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(html).toMatch(/role="alert".*Something went wrong\. Please try again\./s);
    for (const name of ["name", "email", "company"] as const) expect(valueOf(html, name)).toBe(typed[name]);
    expect(html).toMatch(/<form[^>]*method="post"[^>]*action="\/early-access"/);
    expect(stored(typed.email)).toEqual([]);
    expect((await send(typed, someone())).status).toBe(303);
  });
});

describe("whatever people are called (R25)", () => {
  it.each([
    ["a family", "👩‍👩‍👧‍👦 Familie"],
    ["Zalgo", "Z̸͓̈́a̶̤͂l̵͉̇g̷̺̈o̴̗͝"],
    ["a name written from the right", "\u202Eevil\u202C עברית"],
    ["a dotted I", "İpek Işık"],
    ["markup", "</script><script>x</script><img onerror=x>"],
    ["a line separator", "a\u2028b"],
  ])("%s is stored as it is and shown as text (R25)", async (_, name) => {
    const email = newEmail();
    expect((await send({ email, name })).status).toBe(303);
    expect(stored(email).map((row) => row.name)).toEqual([name.normalize("NFC")]);
    const headers = { Cookie: await logIn(server, undefined, someone()) };
    const html = await (await server.fetch("/admin/dashboard", { headers })).text();
    expect(unescaped(html)).toContain(`<bdi>${name.normalize("NFC")}</bdi>`);
    expect(html).not.toContain("<script>x");
  });

  it("half a surrogate pair is stored as the replacement character (R25)", async () => {
    const email = newEmail();
    const body = `${new URLSearchParams({ stamp, email })}&name=Ada%ED%A0%80`;
    expect((await post(server.port, "/early-access", body, someone())).status).toBe(303);
    expect(stored(email).map((row) => row.name)).toEqual([expect.stringMatching(/^Ada\uFFFD+$/)]);
  });

  it("ten megabytes are refused before they are read (R25)", async () => {
    const socket = await open(server.port);
    onTestFinished(() => void socket.destroy());
    const startedAt = performance.now();
    socket.write(
      `POST /early-access HTTP/1.1\r\nHost: localhost:${server.port}\r\nSec-Fetch-Site: same-origin\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10485760\r\n\r\nname=",
    );
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
