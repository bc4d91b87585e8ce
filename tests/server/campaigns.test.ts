import { beforeAll, describe, expect, it, vi } from "vitest";
import { getConfirmFields } from "../question-fields";
import { formPost, logIn } from "../server-process";
import type { ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { rowsOf, signUp, someone, stampOfAPerson } from "./visitors";

const FORMULA = "=cmd|' /C calc'!A0";

let server: ServerProcess;
let cookie: string;
let campaign: string;
const get = (path: string) => server.fetch(path, { headers: { Cookie: cookie } });
const post = (path: string, fields: Record<string, string> = {}) =>
  server.fetch(path, formPost(fields, { Cookie: cookie, ...someone() }));
const press = (intent: string, fields: Record<string, string> = {}) =>
  post("/admin/dashboard", {
    intent,
    audience: "early-access",
    testAddress: "",
    title: "We begin",
    message: "Come and see.",
    ...fields,
  });
const draftIn = (answer: Response) =>
  new URL(answer.headers.get("Location") ?? "", server.origin).searchParams.get("draft") ?? "";

beforeAll(async () => {
  server = await sharedServer();
  cookie = await logIn(server, undefined, someone());
  const stamp = await stampOfAPerson(server);
  for (const [name, email] of [
    ["Ada Byron", "ada@example.com"],
    [FORMULA, "bo@example.com"],
    ["Cy", "cy@example.com"],
    ["Ada again", "Ada@example.com"],
  ] as const) {
    await signUp(server, { stamp, name, email }, someone());
  }
  campaign = draftIn(await press("send"));
  await press("confirm", await getConfirmFields(server, { Cookie: cookie }, campaign));
  await vi.waitUntil(
    () => rowsOf(server, "select state from campaigns where id = ?", campaign)[0]?.state === "finished",
    { timeout: 20_000 },
  );
});

describe("a copy of a send's recipients", () => {
  const linesOf = (csv: string) => csv.split("\r\n").filter(Boolean);

  it("holds each recipient with what became of the mail, is no formula, and is written down (C21, C36)", async () => {
    const answer = await post(`/admin/outreach/${campaign}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="recipients-all.csv"');
    const [header, ...lines] = linesOf(await answer.text());
    expect(header).toBe('"Address","Name","Status","Reason","Attempts","Updated (UTC)"');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^"ada@example\.com","Ada Byron","Sent",".*",1,"2\d{3}-.*Z"$/);
    expect(lines[1]).toContain(`"'${FORMULA}"`);
    const [noted] = rowsOf(server, "select action, subject from audit order by id desc limit 1");
    expect(noted).toEqual({ action: "export-recipients", subject: campaign });
  });

  it("holds those in one state where the page shows that state", async () => {
    expect(linesOf(await (await post(`/admin/outreach/${campaign}/export?state=sent`)).text())).toHaveLength(
      4,
    );
    expect(
      linesOf(await (await post(`/admin/outreach/${campaign}/export?state=failed`)).text()),
    ).toHaveLength(1);
    expect(await (await get(`/admin/outreach/${campaign}?state=sent`)).text()).toContain(
      `action="/admin/outreach/${campaign}/export?state=sent"`,
    );
  });

  it("holds those whose address begins as the page searches for, whose links keep it", async () => {
    const page = await (await get(`/admin/outreach/${campaign}?q=B&state=sent`)).text();
    expect(page).toContain("bo@example.com");
    expect(page).not.toContain("cy@example.com");
    expect(page).toContain('<input type="hidden" name="state" value="sent"/>');
    expect(page).toContain(`action="/admin/outreach/${campaign}/export?state=sent&amp;q=b"`);
    const lines = linesOf(await (await post(`/admin/outreach/${campaign}/export?state=sent&q=B`)).text());
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("bo@example.com");
  });

  it("is not taken by GET, nor of what was never sent (C8)", async () => {
    const before = rowsOf(server, "select id from audit").length;
    const page = await get(`/admin/outreach/${campaign}/export`);
    expect([page.status, page.headers.get("Location")]).toEqual([303, `/admin/outreach/${campaign}`]);
    const draft = draftIn(await press("preview", { title: "Not yet" }));
    for (const id of ["x", draft]) {
      const answer = await post(`/admin/outreach/${id}/export`);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/dashboard"]);
    }
    expect(rowsOf(server, "select id from audit")).toHaveLength(before);
  });
});

describe("the page of all sends", () => {
  it("says how many of how many got each campaign", async () => {
    expect(await (await get("/admin/outreach")).text()).toContain("3 of 3");
  });

  it("leads to what was sent and to what is still being written", async () => {
    const draft = draftIn(await press("preview", { title: "<b>Later</b>" }));
    const html = await (await get("/admin/outreach")).text();
    expect(html).toContain(`href="/admin/outreach/${campaign}"`);
    expect(html).toContain(`href="/admin/dashboard?draft=${draft}#outreach"`);
    expect(html).toContain("&lt;b&gt;Later&lt;/b&gt;");
  });

  it("goes on after the fiftieth, and a wrong place in the list is the first page", async () => {
    const older = await (await get(`/admin/outreach?before=${campaign}`)).text();
    expect(older).toContain("Nothing was sent yet");
    expect(older).not.toContain("Drafts");
    expect(await (await get("/admin/outreach?before=x")).text()).toContain(`/admin/outreach/${campaign}`);
  });
});

describe("before a send is confirmed", () => {
  const question = async (fields: Record<string, string>) => {
    const answer = await press("send", fields);
    return (await get((answer.headers.get("Location") ?? "").split("#")[0] ?? "")).text();
  };

  it("the question says who gets it once, what stands in it by mistake, and what is missing", async () => {
    const html = await question({ message: "Dear {{nmae}}, {{name}}." });
    expect(html).toContain("You are about to send an email to 3 recipients.");
    expect(html).toContain("1 repeated address; it gets one email.");
    expect(html).toContain("{{nmae}} is not a merge field and will appear in the email as it is.");
    expect(html).not.toContain("{{name}} is no merge field");
    expect(html).toContain("No postal address is set");
  });

  it("a group of people who only asked is named as one", async () => {
    const stamp = await stampOfAPerson(server);
    const fields = { fullName: "Dee", email: "dee@example.com", inquiryType: "general", message: "May I?" };
    await server.fetch("/contact", formPost({ ...fields, website: "", stamp }, someone()));
    const consent = "which is not consent to marketing";
    expect(await question({ audience: "contact-form" })).toContain(consent);
    expect(await question({})).not.toContain(consent);
  });
});

describe("a button whose time has passed", () => {
  it.each([
    ["pause", "campaign-unchanged", "The status of this campaign has changed in the meantime"],
    ["resume", "campaign-unchanged", "The status of this campaign has changed in the meantime"],
    ["begin", "campaign-unchanged", "The status of this campaign has changed in the meantime"],
    ["cancel", "campaign-unchanged", "The status of this campaign has changed in the meantime"],
    ["retry-failed", "nothing-to-retry", "no failed recipients are left"],
    ["decide", "nothing-uncertain", "no uncertain recipients are left"],
  ])("%s changes nothing, and the page says so", async (intent, notice, sentence) => {
    const answer = await post(`/admin/outreach/${campaign}`, { intent, decision: "resend" });
    const location = answer.headers.get("Location") ?? "";
    expect(location).toBe(`/admin/outreach/${campaign}?notice=${notice}`);
    expect(await (await get(location)).text()).toContain(sentence);
  });

  it("of a campaign that does not exist leads to the list, which says so", async () => {
    const answer = await post("/admin/outreach/unknown", { intent: "pause" });
    const location = answer.headers.get("Location") ?? "";
    expect(location).toBe("/admin/outreach?notice=campaign-gone");
    expect(await (await get(location)).text()).toContain("This campaign no longer exists");
  });
});

describe("a draft", () => {
  const follow = async (answer: Response) => {
    expect(answer.status).toBe(303);
    const location = answer.headers.get("Location") ?? "";
    return { location, html: await (await get(location.split("#")[0] ?? "")).text() };
  };

  it("is made of any campaign, by who copied it, and opens in the panel", async () => {
    const { location, html } = await follow(await post(`/admin/outreach/${campaign}`, { intent: "copy" }));
    const draft = new URL(location, server.origin).searchParams.get("draft") ?? "";
    expect(location).toBe(`/admin/dashboard?draft=${draft}&notice=draft-copied#outreach`);
    expect(draft).not.toBe(campaign);
    expect(html).toContain("Copied as a new draft");
    expect(html).toMatch(/<input[^>]*value="We begin"/);
    expect(rowsOf(server, "select state, message, audience from campaigns where id = ?", draft)).toEqual([
      { state: "draft", message: "Come and see.", audience: "early-access" },
    ]);
    const none = await follow(await post(`/admin/outreach/${draft}`, { intent: "copy" }));
    expect(none.location).toBe("/admin/outreach?notice=campaign-gone");
  });

  it.each([
    ["the list of drafts", "/admin/outreach", ""],
    ["the panel", "/admin/dashboard", "#outreach"],
  ])("is discarded from %s and listed nowhere, until Undo restores it", async (_, path, anchor) => {
    const draft = draftIn(await press("save", { title: `Discard from ${path}` }));
    const discarded = await follow(await post(path, { intent: "discard", draft }));
    expect(discarded.location).toBe(`${path}?discarded=${draft}&notice=draft-discarded${anchor}`);
    expect(discarded.html).toContain("Draft discarded.");
    expect(discarded.html).toMatch(/name="intent" value="restore"[^>]*>Undo</);
    const title = `Discard from ${path}`;
    expect(await (await get("/admin/outreach")).text()).not.toContain(title);
    expect(await (await get(`/admin/dashboard?draft=${draft}`)).text()).not.toContain(title);
    await follow(await post(path, { intent: "restore", draft }));
    expect(await (await get("/admin/outreach")).text()).toContain(title);
  });

  it("that is not there cannot be discarded or restored, and the page says so", async () => {
    for (const path of ["/admin/outreach", "/admin/dashboard"]) {
      for (const intent of ["discard", "restore"]) {
        const { location, html } = await follow(await post(path, { intent, draft: campaign }));
        expect(location).toContain("notice=draft-gone");
        expect(html).toContain("This draft no longer exists");
      }
    }
  });
});
