import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { open, post } from "../../server/fixtures/raw-http";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { formPost } from "../server-process";
import { getRedirect } from "./operators";
import { getError, findForm, unescapeHtml, getValue } from "./form-html";
import {
  FORM_PATHS,
  readFormSecret,
  freshStamp,
  readRows,
  SIGNED_UP,
  signUp,
  someone,
  stampOfAPerson,
  submit,
  getThanksPath,
  type FormPath,
} from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

let people = 0;
const newEmail = () => `person-${++people}@example.com`;
/** Submits a form as a new person. */
const sendTo = (path: FormPath, fields: Record<string, string> = {}, headers = someone()) =>
  submit(server, path, { email: newEmail(), ...fields }, headers);
const KIND = { "/early-access": "early-access", "/updates": "updates-signup", "/contact": "contact-form" };
const listStored = (email: string) => readRows(server, "select * from submissions where email = ?", email);
const expectThanks = (answer: Response, path: FormPath) =>
  expect(getRedirect(answer)).toEqual([303, getThanksPath(path)]);

/** Expects a refused form that shows an alert and everything as typed; resolves with its HTML. */
async function expectRefused(
  answer: Response,
  status: number,
  path: FormPath,
  typed: Record<string, string>,
) {
  const form = findForm(await answer.text(), path);
  expect(answer.status).toBe(status);
  expect(form).toMatch(/role="alert"/);
  for (const [field, value] of Object.entries(typed)) {
    expect([field, getValue(form, field)]).toEqual([field, value]);
  }
  return form;
}

// C25
describe("the fields of a form", () => {
  const caps = [
    ["name", 200, "/early-access", "name", "your full name", "name"],
    ["company", 200, "/early-access", "company", "your company's name", "company"],
    ["name", 200, "/updates", "name", "your full name", "name"],
    ["name", 200, "/contact", "fullName", "your full name", "name"],
    ["message", 5000, "/contact", "message", "your message", "message"],
  ] as const;
  it.each(caps)(
    "a %s of %i characters for %s is stored, and one more is 422",
    async (_, cap, path, name, label, column) => {
      // An emoji and a letter with a combining accent count as one each.
      const longest = "😀e\u0301".repeat(cap / 2);
      const email = newEmail();
      expectThanks(await sendTo(path, { email, [name]: longest }), path);
      expect(listStored(email).map((row) => row[column])).toEqual([longest.normalize("NFC")]);

      const typed = { email: newEmail(), [name]: `${longest}a` };
      const form = await expectRefused(await sendTo(path, typed), 422, path, typed);
      expect(getError(form, name)).toBe(`Please shorten ${label} to ${cap.toLocaleString("en")} characters.`);
      expect(getError(form, "email")).toBeUndefined();
      expect(listStored(typed.email)).toEqual([]);
    },
  );

  const markup = `"A" & <B> </textarea>`;
  const inquiry = { inquiryType: "partnership", message: `${markup}\n\nTwo lines` };
  it.each<[FormPath, Record<string, string>]>([
    ["/early-access", { name: markup, email: "no address", company: markup, role: "manager" }],
    ["/updates", { name: markup, email: "no address" }],
    ["/contact", { fullName: markup, email: "no address", ...inquiry }],
  ])("%s comes back with every field as it was typed", async (path, typed) => {
    await expectRefused(await sendTo(path, typed), 422, path, typed);
  });

  // R25
  it("a refused text has no NUL bytes, wherever the page is cut into chunks", async () => {
    for (let lead = 0; lead < 20; lead += 1) {
      const fullName = "a".repeat(lead) + "😀".repeat(201);
      const answer = await sendTo("/contact", { fullName, email: "none" });
      expect([lead, Buffer.from(await answer.arrayBuffer()).includes(0)]).toEqual([lead, false]);
    }
  });

  it("a message is stored with its line breaks", async () => {
    const email = newEmail();
    expect((await sendTo("/contact", { email, message: "One\r\n\r\nTwo\rThree\n" })).status).toBe(303);
    expect(listStored(email).map((row) => row.message)).toEqual(["One\n\nTwo\nThree"]);
  });

  const longest = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;
  const nameErrors = (path: FormPath, name: string) =>
    [
      ["no name", path, { [name]: "  " }, name, /^Please enter your full name\.$/],
      ["a name with a NUL", path, { [name]: "Ada\0Byron" }, name, /NUL character/],
      ["a name of two lines", path, { [name]: "Ada\r\nByron" }, name, /on one line/],
      ["no address", path, { email: "" }, "email", /^Please enter your email address\.$/],
      ["an invalid address", path, { email: "ada@localhost" }, "email", /like name@example\.com/],
      ["two addresses", path, { email: "a@x.com, b@x.com" }, "email", /like name@example\.com/],
      ["an address of 255 characters", path, { email: `x${longest}` }, "email", /254 characters/],
    ] as const;
  it.each<readonly [string, FormPath, Record<string, string>, string, RegExp]>([
    ...nameErrors("/early-access", "name"),
    ["an unknown role", "/early-access", { role: "emperor" }, "role", /one of the roles/],
    ...nameErrors("/updates", "name"),
    ...nameErrors("/contact", "fullName"),
    ["no inquiry type", "/contact", { inquiryType: "" }, "inquiryType", /choose what your message is about/],
    ["an unknown inquiry type", "/contact", { inquiryType: "spam" }, "inquiryType", /choose what your/],
    ["no message", "/contact", { message: " \n " }, "message", /^Please enter your message\.$/],
    ["a message with a NUL", "/contact", { message: "a\0b" }, "message", /NUL character/],
  ])("%s for %s is 422 with a message at its field", async (_, path, fields, name, sentence) => {
    const before = readRows(server, "select id from submissions").length;
    const form = await expectRefused(await sendTo(path, fields), 422, path, {});
    expect(getError(form, name)).toMatch(sentence);
    expect(readRows(server, "select id from submissions")).toHaveLength(before);
  });

  // R48
  it.each(FORM_PATHS)("an address at a domain outside ASCII for %s is stored in ASCII", async (path) => {
    const name = newEmail().split("@", 1)[0] ?? "";
    const typed = { email: `${name}@müller.example` };
    expectThanks(await sendTo(path, typed), path);
    expect(listStored(`${name}@xn--mller-kva.example`)).toHaveLength(1);
    // What a browser sends that converts it: a repetition of the same signup.
    expectThanks(await sendTo(path, { email: `${name}@xn--mller-kva.example\u200b` }), path);
    const stored = readRows(
      server,
      "select distinct email_key from submissions where email like ?",
      `${name}@%`,
    );
    expect(stored).toEqual([{ email_key: `${name}@xn--mller-kva.example` }]);
  });

  // R48
  it.each(FORM_PATHS)("an address with a letter outside ASCII before the @ for %s is 422", async (path) => {
    const typed = { email: "jürgen@example.com" };
    const form = await expectRefused(await sendTo(path, typed), 422, path, typed);
    expect(getError(form, "email")).toBe(
      'Please enter your email address without "ü": before the @ only letters from a to z, digits and signs can be used.',
    );
  });

  it.each(FORM_PATHS)("an address of 254 characters for %s is stored", async (path) => {
    const before = listStored(longest).length;
    expect((await sendTo(path, { email: longest })).status).toBe(303);
    expect(listStored(longest)).toHaveLength(before + 1);
  });

  it.each(FORM_PATHS)("a field sent twice to %s is 422", async (path) => {
    const stamp = await stampOfAPerson(server);
    const twice = new URLSearchParams({ stamp, name: "Ada", fullName: "Ada", email: newEmail() });
    twice.append("email", newEmail());
    const answer = await server.fetch(path, formPost(twice, someone()));
    const form = await expectRefused(answer, 422, path, {});
    expect(getError(form, "email")).toBe("Please enter your email address once.");
  });

  // C37
  it.each([
    ["65 KiB", 413, `name=${"a".repeat(65 * 1024)}`, "application/x-www-form-urlencoded"],
    ["JSON", 415, "{}", "application/json"],
    ["plain text", 415, "name=Ada", "text/plain"],
    ["multipart where no file is taken", 415, "name=Ada", "multipart/form-data; boundary=x"],
    ["two hundred and one fields", 413, "a=&".repeat(200), "application/x-www-form-urlencoded"],
  ])("a body of %s is %i", async (_, status, body, type) => {
    const answer = await post(server.port, "/early-access", body, { ...someone(), "Content-Type": type });
    expect(answer.status).toBe(status);
    expect(answer.headers["x-frame-options"]).toBe("DENY");
  });
});

// R25
describe("names", () => {
  it("with half a surrogate pair are stored with the replacement character", async () => {
    const email = newEmail();
    const stamp = await stampOfAPerson(server);
    // As a browser sends it.
    const body = new URLSearchParams({ stamp, email, name: "Ada\ud800" }).toString();
    expect((await post(server.port, "/early-access", body, someone())).status).toBe(303);
    expect(listStored(email).map((row) => row.name)).toEqual([expect.stringMatching(/^Ada\uFFFD+$/)]);
  });

  // R47
  it.each([
    ["percent-encoded Latin-1", "name=Gr%fc%dfe"],
    ["Latin-1", "name=Gr\xfc\xdfe"],
    ["half a surrogate pair in bytes", "name=Ada%ED%A0%80"],
    ["a sequence that is cut", "name=Ada%C3&company=%A4"],
  ])("in %s are refused, and nothing is stored", async (_, field) => {
    const email = newEmail();
    const stamp = await stampOfAPerson(server);
    const body = Buffer.from(`${new URLSearchParams({ stamp, email })}&${field}`, "latin1");
    const answer = await server.fetch("/early-access", {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...someone() },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("not in UTF-8");
    expect(listStored(email)).toEqual([]);
  });

  it("of ten megabytes are refused before they are read", async () => {
    const socket = await open(server.port);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /early-access HTTP/1.1\r\nHost: localhost:${server.port}\r\nSec-Fetch-Site: same-origin\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10485760\r\n\r\nname=",
    );
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

// C26
it("a form sent 50 times is stored once", async () => {
  const fields = {
    stamp: await stampOfAPerson(server),
    name: "Grace Hopper",
    email: newEmail(),
    company: "Navy",
    role: "executive",
  };
  const visitor = someone();
  const send = async () => {
    const answer = await signUp(server, fields, visitor);
    return [answer.status, answer.headers.get("Location"), await answer.text()];
  };
  const answers = await Promise.all(Array.from({ length: 50 }, send));
  await server.kill();
  await server.restart();
  answers.push(await send());
  expect(new Set(answers.map(String))).toEqual(new Set([String([303, SIGNED_UP, ""])]));
  expect(listStored(fields.email)).toHaveLength(1);
  const [counted] = readRows(
    server,
    "select sum(count) as count from submission_counts where state = 'accepted'",
  );
  const accepted = readRows(server, "select id from submissions where state = 'accepted'");
  expect(counted?.count).toBe(accepted.length);
});

// C27
describe.each(FORM_PATHS)("bots and people at %s", (path) => {
  const failure =
    path === "/contact"
      ? "Something went wrong. Please try again or email us directly."
      : "Something went wrong. Please try again.";
  const nameField = path === "/contact" ? "fullName" : "name";

  it.each([
    ["the honeypot field", "honeypot", async () => ({ website: "https://spam.example" })],
    ["a stamp that is too young", "too-fast", async () => ({ stamp: await freshStamp(server) })],
    ["a forged stamp", "forged-form", async () => ({ stamp: "tougrl.AAAAAAAAAAAAAAAAAAAAAA" })],
  ])("a form with %s is answered as accepted, and quarantined", async (_, reason, fields) => {
    const email = newEmail();
    expectThanks(await sendTo(path, { email, ...(await fields()) }), path);
    expect(listStored(email)).toMatchObject([{ state: "quarantined", quarantine_reason: reason }]);
    expect(await superadmin.read("/admin/dashboard")).not.toContain(email);
  });

  it("a form left open for over a day comes back as typed, with a fresh stamp", async () => {
    const typed = { [nameField]: "Zoë", email: newEmail() };
    const old = createFormStamps(await readFormSecret(server)).create(Date.now() - 24 * 3_600_000 - 5000);
    const form = await expectRefused(await sendTo(path, { ...typed, stamp: old }), 422, path, typed);
    expect(form).toContain(failure);
    expect(listStored(typed.email)).toEqual([]);
    const stamp = getValue(form, "stamp");
    expect(stamp).not.toBe(old);
    // The page asks to try again, at once.
    expectThanks(await sendTo(path, { ...typed, stamp }), path);
    expect(listStored(typed.email)).toMatchObject([{ state: "accepted" }]);
  });

  it("a correction sent at once is accepted, because the form keeps its stamp", async () => {
    const email = newEmail();
    const refused = await expectRefused(await sendTo(path, { email: "ada at example" }), 422, path, {});
    expect((await sendTo(path, { email, stamp: getValue(refused, "stamp") })).status).toBe(303);
    expect(listStored(email)).toMatchObject([{ state: "accepted" }]);
  });

  it("the eleventh different form of a minute is 429", async () => {
    const visitor = someone();
    for (let sent = 1; sent <= 10; sent += 1) expect((await sendTo(path, {}, visitor)).status).toBe(303);
    const typed = { [nameField]: "Number Eleven", email: newEmail() };
    const answer = await sendTo(path, typed, visitor);
    const form = await expectRefused(answer, 429, path, typed);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(form).toContain(failure);
    expect(form).toMatch(/^<form[^>]*method="post"/);
    expect(listStored(typed.email)).toEqual([]);
    expect((await sendTo(path, typed)).status).toBe(303);
  });

  it("the consent is stored in the words shown beside the button", async () => {
    const email = newEmail();
    await sendTo(path, { email });
    const page = findForm(await readText(server.fetch(path)), path);
    const consents = readRows(server, "select * from consents where email_key = ?", email);
    expect(consents).toMatchObject([{ form: KIND[path], wording_version: "2026-12" }]);
    expect(unescapeHtml(page)).toContain(String(consents[0]?.wording));
  });
});
