import { describe, expect, it } from "vitest";
import { FRAMED_EMAIL } from "../../server/fixtures/expected-headers";
import { formPost } from "../server-process";
import { getLocation, useOutreachScreens } from "./outreach-screens";
import { dumpDatabase, readRows, someone, submit } from "./visitors";

const HOSTILE = `<script>top.x=1</script><img src=x onerror="top.x=1"> </style><form action="/logout">`;
const GREETING = { title: "Dear {{name}}", message: "We begin, {{name}}." };

const screens = useOutreachScreens();

// C17
describe("the preview of an email", () => {
  it("is sandboxed: it runs, loads and submits nothing, and only we may frame it", async () => {
    const draft = await screens.createDraft({ message: HOSTILE });
    const answer = await screens.get(`/admin/outreach/${draft}/mail`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject(FRAMED_EMAIL);
    const html = await answer.text();
    expect(html).not.toMatch(/<(?:script|img|form)\b/);
    expect(html).toContain("&lt;script&gt;top.x=1&lt;/script&gt;");
  });

  it("is the email of the audience's first recipient", async () => {
    await screens.signUp("ada@example.com", "Ada Byron");
    await screens.signUp("bo@example.com", "Bo");
    const draft = await screens.createDraft(GREETING);
    const before = dumpDatabase(screens.server);
    const html = await screens.read(`/admin/outreach/${draft}/mail`);
    expect(html).toContain("We begin, Ada Byron.");
    expect(html).toContain("because ada@example.com asked");
    const page = await screens.read(`/admin/dashboard?draft=${draft}&panel=preview`);
    expect(page).toContain("As ada@example.com will see it.");
    expect(page).toContain("Dear Ada Byron");
    const link = /href="([^"]*\/unsubscribe\/[^"]*)"/.exec(html)?.[1] ?? "";
    const unsubscribed = await screens.server.fetch(new URL(link).pathname, formPost({}, someone()));
    expect(unsubscribed.status).toBe(404);
    expect(dumpDatabase(screens.server)).toBe(before);
  });

  it("of Markdown has its layout, filled for the first recipient or for somebody without a name", async () => {
    await screens.signUp("ada@example.com", "Ada Byron");
    const message = "# Hello {{first_name|there}}\n\n**{{company|Your company}}** <b>joins</b>";
    const draft = await screens.createDraft({ message, format: "markdown" });
    const mail = `/admin/outreach/${draft}/mail`;
    const html = await screens.read(mail);
    expect(html).toMatch(/<h1 [^>]*>Hello Ada<\/h1>/);
    expect(html).toContain("<strong>Your company</strong> &lt;b&gt;joins&lt;/b&gt;");
    expect(await screens.read(`${mail}?for=nameless`)).toMatch(/<h1 [^>]*>Hello there<\/h1>/);
    const text = await screens.createDraft({ message });
    expect(await screens.read(`/admin/outreach/${text}/mail`)).toContain("# Hello Ada");
  });

  // C42
  it("has no greeting by a name that looks like a link, which is stored as typed", async () => {
    const fields = { fullName: "evil.example/x", email: "link@example.com" };
    await submit(screens.server, "/contact", fields);
    const stored = readRows(
      screens.server,
      "select name, state from submissions where email = ?",
      fields.email,
    );
    expect(stored).toEqual([{ name: "evil.example/x", state: "accepted" }]);
    const draft = await screens.createDraft({ ...GREETING, audience: "contact-form" });
    const html = await screens.read(`/admin/outreach/${draft}/mail`);
    expect(html).toContain("because link@example.com asked");
    expect(html).toContain("We begin, there.");
    expect(html).not.toContain("evil");
    expect(await screens.read(`/admin/dashboard?draft=${draft}&panel=preview`)).toContain("Dear there");
  });

  it("of a draft that does not exist leads back", async () => {
    for (const id of ["x", "01900000-0000-7000-8000-000000000000"]) {
      const answer = await screens.get(`/admin/outreach/${id}/mail`);
      expect([answer.status, getLocation(answer)]).toEqual([303, "/admin/dashboard"]);
    }
  });
});
