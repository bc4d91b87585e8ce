import { beforeAll, describe, expect, it, vi } from "vitest";
import { post } from "../../server/fixtures/raw-http";
import { createFormStamps, type FormStamps } from "~/services/signups/form-stamp.server";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { errorOf, formIn, unescaped, valueOf } from "./form-html";
import { sharedServer } from "./shared-server";
import {
  FORM_PATHS,
  formSecretOf,
  freshStamp,
  rowsOf,
  SIGNED_UP,
  signUp,
  someone,
  stampOfAPerson,
  submit,
  thanksOf,
} from "./visitors";
import type { FormPath } from "./visitors";

let server: ServerProcess;
let stamp: string;
let stamps: FormStamps;
beforeAll(async () => {
  server = await sharedServer();
  stamp = await stampOfAPerson(server);
  stamps = createFormStamps(await formSecretOf(server));
});

let people = 0;
const newEmail = () => `person-${++people}@example.com`;
/** An honest form by somebody new; give what differs. */
const sendTo = (path: FormPath, fields: Record<string, string> = {}, headers = someone()) =>
  submit(server, path, { stamp, email: newEmail(), ...fields }, headers);
const KIND = { "/early-access": "early-access", "/updates": "updates-signup", "/contact": "contact-form" };
/** The form as an answer brings it back. */
const formOf = async (answer: Response, path: FormPath) => formIn(await answer.text(), path);
const stored = (email: string) => rowsOf(server, "select * from submissions where email = ?", email);

describe("a form's fields have limits (C25)", () => {
  const signs = [
    ["letters", "a"],
    ["emoji, each counted as one", "😀"],
    ["letters with a combining accent, counted after NFC", "e\u0301"],
  ] as const;
  const caps = [
    ["name", 200, "/early-access", "name", "your full name", "name"],
    ["company", 200, "/early-access", "company", "your company's name", "company"],
    ["name", 200, "/updates", "name", "your full name", "name"],
    ["name", 200, "/contact", "fullName", "your full name", "name"],
    ["message", 5000, "/contact", "message", "your message", "message"],
  ] as const;

  describe.each(signs)("counted in %s", (_, sign) => {
    it.each(caps)(
      "a %s of %i for %s is stored, and one more is 422 with everything as typed (C25)",
      async (_, cap, path, name, label, column) => {
        const email = newEmail();
        const fits = await sendTo(path, { email, [name]: sign.repeat(cap) });
        expect([fits.status, fits.headers.get("Location")]).toEqual([303, thanksOf(path)]);
        expect(stored(email).map((row) => row[column])).toEqual([sign.repeat(cap).normalize("NFC")]);

        const typed = { email: newEmail(), [name]: sign.repeat(cap + 1) };
        const refused = await sendTo(path, typed);
        const form = await formOf(refused, path);
        expect(refused.status).toBe(422);
        expect(errorOf(form, name)).toBe(
          `Please shorten ${label} to ${cap.toLocaleString("en")} characters.`,
        );
        expect(errorOf(form, "email")).toBeUndefined();
        for (const [field, value] of Object.entries(typed)) expect(valueOf(form, field)).toBe(value);
        expect(stored(typed.email)).toEqual([]);
      },
    );
  });

  const awkward = `"A" & <B> </textarea>`;
  it.each<[FormPath, Record<string, string>]>([
    ["/early-access", { name: awkward, email: "no address", company: awkward, role: "manager" }],
    ["/updates", { name: awkward, email: "no address" }],
    [
      "/contact",
      {
        fullName: awkward,
        email: "no address",
        inquiryType: "partnership",
        message: `${awkward}\n\nTwo lines`,
      },
    ],
  ])("%s comes back with every field as it was typed (C25)", async (path, typed) => {
    const refused = await sendTo(path, typed);
    const form = await formOf(refused, path);
    expect(refused.status).toBe(422);
    expect(form).toMatch(/role="alert"/);
    for (const [field, value] of Object.entries(typed))
      expect([field, valueOf(form, field)]).toEqual([field, value]);
  });

  it("what was typed comes back without a byte too many, wherever the page is cut into pieces (R25)", async () => {
    for (let lead = 0; lead < 20; lead += 1) {
      const fullName = "a".repeat(lead) + "😀".repeat(201);
      const answer = await sendTo("/contact", { fullName, email: "none" });
      expect([lead, Buffer.from(await answer.arrayBuffer()).includes(0)]).toEqual([lead, false]);
    }
  });

  it("a message of many lines is stored with its lines (C25)", async () => {
    const email = newEmail();
    expect((await sendTo("/contact", { email, message: "One\r\n\r\nTwo\rThree\n" })).status).toBe(303);
    expect(stored(email).map((row) => row.message)).toEqual(["One\n\nTwo\nThree"]);
  });

  const longest = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;
  const nameErrors = (path: FormPath, name: string) =>
    [
      ["no name", path, { [name]: "  " }, name, /^Please enter your full name\.$/],
      ["a name with a NUL", path, { [name]: "Ada\0Byron" }, name, /NUL character/],
      ["a name of two lines", path, { [name]: "Ada\r\nByron" }, name, /on one line/],
      ["no address", path, { email: "" }, "email", /^Please enter your email address\.$/],
      ["an address that is none", path, { email: "ada@localhost" }, "email", /like name@example\.com/],
      ["two addresses", path, { email: "a@x.com, b@x.com" }, "email", /like name@example\.com/],
      ["an address of 255 characters", path, { email: `x${longest}` }, "email", /254 characters/],
    ] as const;
  it.each<readonly [string, FormPath, Record<string, string>, string, RegExp]>([
    ...nameErrors("/early-access", "name"),
    ["a role nobody offered", "/early-access", { role: "emperor" }, "role", /one of the roles/],
    ...nameErrors("/updates", "name"),
    ...nameErrors("/contact", "fullName"),
    ["no inquiry type", "/contact", { inquiryType: "" }, "inquiryType", /choose what your message is about/],
    ["an inquiry nobody offered", "/contact", { inquiryType: "spam" }, "inquiryType", /choose what your/],
    ["no message", "/contact", { message: " \n " }, "message", /^Please enter your message\.$/],
    ["a message with a NUL", "/contact", { message: "a\0b" }, "message", /NUL character/],
  ])("%s for %s is 422 with a sentence at its field (C25)", async (_, path, fields, name, sentence) => {
    const before = rowsOf(server, "select id from submissions").length;
    const answer = await sendTo(path, fields);
    expect(answer.status).toBe(422);
    expect(errorOf(await formOf(answer, path), name)).toMatch(sentence);
    expect(rowsOf(server, "select id from submissions")).toHaveLength(before);
  });

  it.each(FORM_PATHS)("an address of 254 characters for %s is stored (C25)", async (path) => {
    const before = stored(longest).length;
    expect((await sendTo(path, { email: longest })).status).toBe(303);
    expect(stored(longest)).toHaveLength(before + 1);
  });

  it.each(FORM_PATHS)("a field that comes twice to %s is 422 (C25)", async (path) => {
    const twice = new URLSearchParams({ stamp, name: "Ada", fullName: "Ada", email: newEmail() });
    twice.append("email", newEmail());
    const answer = await server.fetch(path, formPost(twice, someone()));
    expect([answer.status, errorOf(await formOf(answer, path), "email")]).toEqual([
      422,
      "Please enter your email address once.",
    ]);
  });

  it("a form for an address that has none leads to the landing page (C25)", async () => {
    const answer = await server.fetch("/newsletter", formPost({ stamp, email: newEmail() }, someone()));
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
  });

  it.each([
    ["65 KiB", 413, `name=${"a".repeat(65 * 1024)}`, "application/x-www-form-urlencoded"],
    ["JSON", 415, "{}", "application/json"],
    ["plain text", 415, "name=Ada", "text/plain"],
    ["multipart where no file is taken", 415, "name=Ada", "multipart/form-data; boundary=x"],
    ["two hundred and one fields", 413, "a=&".repeat(200), "application/x-www-form-urlencoded"],
  ])("a body of %s is %i (C25, C37)", async (_, status, body, type) => {
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
    const [counted] = rowsOf(
      server,
      "select sum(count) as count from submission_counts where state = 'accepted'",
    );
    const accepted = rowsOf(server, "select id from submissions where state = 'accepted'");
    expect(counted?.count).toBe(accepted.length);
  });
});

describe.each(FORM_PATHS)("programs are kept apart from people who use %s (C27)", (path) => {
  const failure =
    path === "/contact"
      ? "Something went wrong. Please try again or email us directly."
      : "Something went wrong. Please try again.";
  const nameField = path === "/contact" ? "fullName" : "name";

  it.each([
    ["the field people do not see", "honeypot", async () => ({ website: "https://spam.example" })],
    ["no time to read it", "too-fast", async () => ({ stamp: await freshStamp(server) })],
    ["a stamp of their own making", "forged-form", async () => ({ stamp: "tougrl.AAAAAAAAAAAAAAAAAAAAAA" })],
  ])("a form filled in with %s looks accepted and is shown to nobody (C27)", async (_, reason, fields) => {
    const email = newEmail();
    const answer = await sendTo(path, { email, ...(await fields()) });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, thanksOf(path)]);
    expect(stored(email)).toMatchObject([{ state: "quarantined", quarantine_reason: reason }]);
    const headers = { Cookie: await logIn(server, undefined, someone()) };
    expect(await (await server.fetch("/admin/dashboard", { headers })).text()).not.toContain(email);
  });

  it("a form left open for over a day comes back as typed, with a stamp that works (C27)", async () => {
    const typed = { [nameField]: "Zoë", email: newEmail() };
    const old = stamps.make(Date.now() - 24 * 3_600_000 - 5000);
    const answer = await sendTo(path, { ...typed, stamp: old });
    const form = await formOf(answer, path);
    expect(answer.status).toBe(422);
    for (const [field, value] of Object.entries(typed)) expect(valueOf(form, field)).toBe(value);
    expect(form).toContain(failure);
    expect(stored(typed.email)).toEqual([]);
    expect(valueOf(form, "stamp")).not.toBe(old);
    expect(valueOf(form, "stamp")).toMatch(/^\w+\.[\w-]{22}$/);
  });

  it("a form rendered by an instance whose clock is four minutes ahead is taken (R35)", async () => {
    const email = newEmail();
    const ahead = stamps.make(Date.now() + 4 * 60_000);
    const answer = await sendTo(path, { email, stamp: ahead });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, thanksOf(path)]);
    expect(stored(email)).toMatchObject([{ state: "accepted" }]);
  });

  it("a correction sent at once is a person's, because the form keeps its stamp (C27)", async () => {
    const email = newEmail();
    const refused = await formOf(await sendTo(path, { email: "ada at example" }), path);
    const corrected = await sendTo(path, { email, stamp: valueOf(refused, "stamp") });
    expect(corrected.status).toBe(303);
    expect(stored(email)).toMatchObject([{ state: "accepted" }]);
  });

  it("the eleventh different form of a minute is 429, keeps what was typed and says when to come back (C27)", async () => {
    const visitor = someone();
    for (let sent = 1; sent <= 10; sent += 1) expect((await sendTo(path, {}, visitor)).status).toBe(303);
    const typed = { [nameField]: "Number Eleven", email: newEmail() };
    const answer = await sendTo(path, typed, visitor);
    const form = await formOf(answer, path);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(form).toContain(failure);
    expect(form).toMatch(/role="alert"/);
    for (const [field, value] of Object.entries(typed)) expect(valueOf(form, field)).toBe(value);
    expect(form).toMatch(/^<form[^>]*method="post"/);
    expect(stored(typed.email)).toEqual([]);
    expect((await sendTo(path, typed)).status).toBe(303);
  });

  it("what was agreed to is stored with the form, in the words that stood beside the button", async () => {
    const email = newEmail();
    await sendTo(path, { email });
    const page = await formOf(await server.fetch(path), path);
    const consents = rowsOf(server, "select * from consents where email_key = ?", email);
    expect(consents).toMatchObject([{ form: KIND[path], wording_version: "2026-11" }]);
    expect(unescaped(page)).toContain(String(consents[0]?.wording));
  });
});

it("the stamp that a page came with is a person's two seconds later, and no sooner (C27)", async () => {
  const begun = performance.now();
  const ofPage = await freshStamp(server);
  const stateWhenSent = async () => {
    const email = newEmail();
    await signUp(server, { stamp: ofPage, email }, someone());
    return stored(email)[0]?.state;
  };
  await vi.waitUntil(async () => (await stateWhenSent()) === "accepted", { timeout: 10_000, interval: 200 });
  // The stamp is in whole seconds, so up to one of the two may be over when it is made.
  expect(performance.now() - begun).toBeGreaterThan(1000);
});
