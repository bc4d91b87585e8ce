import { beforeAll, describe, expect, it } from "vitest";
import { ALWAYS, NO_STORE } from "../../server/fixtures/expected-headers";
import { formPost, logIn } from "../server-process";
import type { ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { dumpOf, rowsOf, signUp, someone, stampOfAPerson, submit } from "./visitors";

const HOSTILE = `<script>top.x=1</script><img src=x onerror="top.x=1"> </style><form action="/logout">`;

let server: ServerProcess;
let cookie: string;
beforeAll(async () => {
  server = await sharedServer();
  cookie = await logIn(server, undefined, someone());
});

/** The id of a draft that says this. */
async function draft(title: string, message: string, audience = "early-access"): Promise<string> {
  const fields = { intent: "preview", audience, testAddress: "", title, message };
  const answer = await server.fetch("/admin/dashboard", formPost(fields, { Cookie: cookie }));
  return new URL(answer.headers.get("Location") ?? "", server.origin).searchParams.get("draft") ?? "";
}

const open = (path: string) => server.fetch(path, { headers: { Cookie: cookie } });

describe("the preview of a mail (C17)", () => {
  it("is shut in: it runs nothing, loads nothing, submits nothing, and only we may frame it (C17)", async () => {
    const answer = await open(`/admin/outreach/${await draft("Hello", HOSTILE)}/mail`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...ALWAYS,
      ...NO_STORE,
      "x-frame-options": "SAMEORIGIN",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'",
    });
    const html = await answer.text();
    expect(html).not.toMatch(/<(?:script|img|form)\b/);
    expect(html).toContain("&lt;script&gt;top.x=1&lt;/script&gt;");
  });

  it("is the mail of the first in the group, with its name, and an unsubscribe link that does nothing", async () => {
    const stamp = await stampOfAPerson(server);
    await signUp(server, { stamp, name: "Ada Byron", email: "ada@example.com" }, someone());
    await signUp(server, { stamp, name: "Bo", email: "bo@example.com" }, someone());
    const id = await draft("Dear {{name}}", "We begin, {{name}}.");
    const before = dumpOf(server);
    const html = await (await open(`/admin/outreach/${id}/mail`)).text();
    expect(html).toContain("We begin, Ada Byron.");
    expect(html).toContain("because ada@example.com asked");
    const page = await (await open(`/admin/dashboard?draft=${id}&panel=preview`)).text();
    expect(page).toContain("As ada@example.com will see it.");
    expect(page).toContain("Dear Ada Byron");
    const link = /href="([^"]*\/unsubscribe\/[^"]*)"/.exec(html)?.[1] ?? "";
    const unsubscribed = await server.fetch(new URL(link).pathname, formPost({}, someone()));
    expect(unsubscribed.status).toBe(404);
    expect(dumpOf(server)).toBe(before);
  });

  it("greets nobody by a name that looks like a link, which is stored as it was typed (C42)", async () => {
    const stamp = await stampOfAPerson(server);
    const fields = { stamp, fullName: "evil.example/x", email: "link@example.com" };
    await submit(server, "/contact", fields, someone());
    const stored = rowsOf(server, "select name, state from submissions where email = ?", fields.email);
    expect(stored).toEqual([{ name: "evil.example/x", state: "accepted" }]);
    const id = await draft("Dear {{name}}", "We begin, {{name}}.", "contact-form");
    const html = await (await open(`/admin/outreach/${id}/mail`)).text();
    expect(html).toContain("because link@example.com asked");
    expect(html).toContain("We begin, there.");
    expect(html).not.toContain("evil");
    const page = await (await open(`/admin/dashboard?draft=${id}&panel=preview`)).text();
    expect(page).toContain("Dear there");
  });

  it("of what is not there leads back", async () => {
    for (const id of ["x", "01900000-0000-7000-8000-000000000000"]) {
      const answer = await open(`/admin/outreach/${id}/mail`);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/dashboard"]);
    }
  });
});
