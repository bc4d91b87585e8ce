import { beforeAll, describe, expect, it } from "vitest";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { dumpOf, rowsOf, signUp, someone } from "./visitors";

let server: ServerProcess;
let signedIn: Record<string, string>;
beforeAll(async () => {
  server = await sharedServer();
  signedIn = { Cookie: await logIn(server, undefined, someone()) };
});

let bots = 0;
/** Somebody new who fills in the field people do not see; resolves with the stored id. */
async function bot(fields: Record<string, string> = {}): Promise<string> {
  const email = `bot-${++bots}@example.com`;
  const answer = await signUp(
    server,
    { stamp: "", website: "https://spam.example", email, ...fields },
    someone(),
  );
  expect(answer.status).toBe(303);
  return String(rowsOf(server, "select id from submissions where email = ?", fields.email ?? email)[0]?.id);
}
const open = (search = "") => server.fetch(`/admin/quarantine${search}`, { headers: signedIn });
const press = (fields: Record<string, string> | [string, string][]) =>
  server.fetch("/admin/quarantine", formPost(new URLSearchParams(fields), signedIn));
const stateOf = (id: string) => rowsOf(server, "select state from submissions where id = ?", id)[0]?.state;

describe("only who is signed in decides what becomes of the quarantine (C9)", () => {
  it.each(["release", "purge"])(
    "%s without a session leads to the login and changes nothing (C9)",
    async (intent) => {
      const id = await bot();
      const answer = await server.fetch("/admin/quarantine", formPost({ intent, id }, someone()));
      expect([answer.status, answer.headers.get("Location")]).toEqual([
        303,
        "/login?redirectTo=%2Fadmin%2Fquarantine",
      ]);
      expect(stateOf(id)).toBe("quarantined");
    },
  );

  it("a post from another site is refused (C7)", async () => {
    const id = await bot();
    const fields = formPost({ intent: "purge", id }, { ...signedIn, "Sec-Fetch-Site": "cross-site" });
    expect((await server.fetch("/admin/quarantine", fields)).status).toBe(403);
    expect(stateOf(id)).toBe("quarantined");
  });
});

describe("looking changes nothing (C8)", () => {
  it("neither the page nor its questions, however often they are opened (C8)", async () => {
    const id = await bot();
    const before = dumpOf(server);
    for (const step of ["release", "purge"]) {
      for (const chosen of [`id=${id}`, `through=${id}`, `through=${id}&form=early-access&reason=honeypot`]) {
        const question = await open(`?step=${step}&${chosen}`);
        expect(question.status).toBe(200);
        expect(await question.text()).toContain("<dialog");
      }
    }
    expect((await open("?form=contact-form&reason=too-fast")).status).toBe(200);
    expect(dumpOf(server)).toBe(before);
  });
});

describe("whatever stands in the form or the URL (R13)", () => {
  it.each([
    ["an unknown button", { intent: "constructor" }],
    ["no id", { intent: "purge" }],
    ["ids that are none", { intent: "purge", id: "../..\0" }],
    ["an end that is none", { intent: "purge", through: "\0" }],
    ["a long end", { intent: "release", through: "x".repeat(3000) }],
    ["filters that are none", { intent: "release", form: "x", reason: "__proto__", id: "x" }],
    ["a page that is none", { intent: "release", before: "x".repeat(3000), id: "x" }],
  ])("%s changes nothing and leads back to the page (R13)", async (_, fields) => {
    await bot();
    const before = dumpOf(server);
    const answer = await press(fields as Record<string, string>);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toMatch(/^\/admin\/quarantine(\?|$)/);
    expect(dumpOf(server)).toBe(before);
  });

  it.each([
    "?form=x&reason=constructor",
    "?before=%00",
    "?id=%00&step=purge",
    "?step=purge&through=%00",
    "?step=x",
  ])("%s is no fault (R13)", async (search) => expect((await open(search)).status).toBeLessThan(400));

  it("all of a page can be selected and asked about: its URL is not too long (R17)", async () => {
    await Promise.all(Array.from({ length: 41 }, () => bot()));
    const html = await (await open("?form=early-access&reason=honeypot")).text();
    const ids = [...html.matchAll(/<input type="checkbox" name="id"[^>]* value="([^"]+)"/g)].map(
      ([, id]) => ["id", id!] as [string, string],
    );
    expect(ids).toHaveLength(40);
    const before = ids.at(-1)![1];
    const search = new URLSearchParams([
      ["form", "early-access"],
      ["reason", "honeypot"],
      ["before", before],
      ["step", "purge"],
      ...ids,
    ]);
    const question = await open(`?${search}`);
    expect(question.status).toBe(200);
    expect(await question.text()).toContain("Purge 40 submissions?");
  });

  it("a page that was settled says so the second time, and nothing more happens", async () => {
    const id = await bot();
    const places = [];
    for (let time = 0; time < 2; time += 1) {
      places.push((await press({ intent: "purge", id })).headers.get("Location"));
    }
    expect(places).toEqual(["/admin/quarantine?notice=purged", "/admin/quarantine?notice=already-settled"]);
    expect(stateOf(id)).toBeUndefined();
    const lines = rowsOf(server, "select actor, subject from audit where action = 'purge-quarantined'");
    expect(lines).toEqual([{ actor: "superadmin@example.com", subject: "1 submission" }]);
  });
});

describe("what a program typed is shown as text (C14, R25)", () => {
  it.each([
    ["markup", "</script><script>x</script><img onerror=x>"],
    ["a template", "{{7*7}}"],
    ["a name written from the right", "\u202Eevil\u202C עברית"],
    ["a line separator", "a\u2028b"],
    ["a family", "👩‍👩‍👧‍👦 Familie"],
  ])("%s, in the list and in the question (C14)", async (_, name) => {
    const id = await bot({ name, company: name });
    for (const search of ["", `?step=purge&id=${id}`]) {
      const html = await (await open(search)).text();
      const shown = name.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      expect(html).toMatch(new RegExp(`<bdi[^>]*>${shown.replace(/[{}*|()?]/g, "\\$&")}</bdi>`));
      expect(html).not.toContain("<script>x");
    }
  });

  it("a long text is cut to 50 graphemes, never inside one, with the whole beside it (R25)", async () => {
    const families = "👩‍👩‍👧‍👦".repeat(24);
    const company = families + "é".repeat(32);
    await bot({ company });
    const html = await (await open()).text();
    expect(html).toContain(`>${families}${"é".repeat(26)}...</bdi>`);
    expect(html).toContain(`>${company}</bdi>`);
  });
});
