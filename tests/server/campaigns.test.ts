import { beforeAll, describe, expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { getLocation, getSearch, useOutreachScreens } from "./outreach-screens";
import { execute, readRows, submit } from "./visitors";

const FORMULA = "=cmd|' /C calc'!A0";

const screens = useOutreachScreens();
let campaign: string;
/** The campaign's page. */
let page: string;

beforeAll(async () => {
  for (const [name, email] of [
    ["Ada Byron", "ada@example.com"],
    [FORMULA, "bo@example.com"],
    ["Cy", "cy@example.com"],
    ["Ada again", "Ada@example.com"],
  ] as const) {
    await screens.signUp(email, name);
  }
  campaign = await screens.createDraft();
  page = `/admin/outreach/${campaign}`;
  await screens.confirm(campaign);
  await screens.waitForState(campaign, "finished");
});

describe("the export of a campaign's recipients", () => {
  const exportLines = async (query: string) =>
    (await (await screens.post(`${page}/export${query}`)).text()).split("\r\n").filter(Boolean);

  // C21, C36
  it("has each recipient with the result of the email and no formula, and is audited", async () => {
    const answer = await screens.post(`${page}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="recipients-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [header, ...lines] = (await answer.text()).split("\r\n").filter(Boolean);
    expect(header).toBe('"Address","Name","Status","Reason","Attempts","Updated (UTC)"');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^"ada@example\.com","Ada Byron","Sent",".*",1,"2\d{3}-.*Z"$/);
    expect(lines[1]).toContain(`"'${FORMULA}"`);
    const [entry] = readRows(screens.server, "select action, subject from audit order by id desc limit 1");
    expect(entry).toEqual({ action: "export-recipients", subject: campaign });
  });

  it("has the recipients the page shows, by state and by the start of their address", async () => {
    expect(await exportLines("?state=sent")).toHaveLength(4);
    expect(await exportLines("?state=failed")).toHaveLength(1);
    expect(await screens.read(`${page}?state=sent`)).toContain(`action="${page}/export?state=sent"`);
    const html = await screens.read(`${page}?q=B&state=sent`);
    expect(html).toContain("bo@example.com");
    expect(html).not.toContain("cy@example.com");
    expect(html).toContain('<input type="hidden" name="state" value="sent"/>');
    expect(html).toContain(`action="${page}/export?state=sent&amp;q=b"`);
    expect(await screens.read(`${page}?q=nobody`)).toContain("No recipient matches.");
    expect(await screens.read(`${page}?state=failed`)).toContain("No recipients with this status.");
    expect(await exportLines("?state=sent&q=B")).toEqual([
      expect.any(String),
      expect.stringContaining("bo@example.com"),
    ]);
  });

  // C8
  it("is not made by GET, nor for a draft", async () => {
    const countEntries = () => readRows(screens.server, "select id from audit").length;
    const before = countEntries();
    const answer = await screens.get(`${page}/export`);
    expect([answer.status, getLocation(answer)]).toEqual([303, page]);
    for (const id of ["x", await screens.createDraft()]) {
      const refused = await screens.post(`/admin/outreach/${id}/export`);
      expect([refused.status, getLocation(refused)]).toEqual([303, "/admin/dashboard"]);
    }
    expect(countEntries()).toBe(before);
  });
});

describe("the list of campaigns", () => {
  it("shows totals, and links to campaigns and drafts", async () => {
    const draft = await screens.createDraft({ title: "<b>Later</b>" });
    const html = await screens.read("/admin/outreach");
    expect(html).toContain("3 of 3");
    expect(html).toContain(`href="${page}"`);
    expect(html).toContain(`href="/admin/dashboard?draft=${draft}#outreach"`);
    expect(html).toContain("&lt;b&gt;Later&lt;/b&gt;");
  });

  it("names who wrote a campaign, whoever confirmed it", async () => {
    const id = await screens.createDraft();
    execute(screens.server, "update campaigns set created_by = 'author@example.com' where id = ?", id);
    await screens.confirm(id);
    await screens.waitForState(id, "finished");
    const html = await screens.read("/admin/outreach");
    expect(html).toContain("author@example.com");
    expect(html).toContain(">Written by<");
    expect(html).not.toContain("Confirmed by");
  });

  it("leads to every draft, however many there are", async () => {
    const drafts: string[] = [];
    for (let count = 0; count < 11; count += 1) drafts.push(await screens.createDraft());
    const listDrafts = (html: string) =>
      Array.from(html.matchAll(/href="[^"]*\?draft=([^"&#]+)/g), ([, id = ""]) => id);
    const html = await screens.read("/admin/outreach");
    expect(listDrafts(html)).toEqual(drafts.slice(1).reverse());
    const older = /href="([^"]*drafts-before=[^"]*)"/.exec(html)?.[1] ?? "";
    const last = await screens.read(older);
    expect(listDrafts(last)[0]).toBe(drafts[0]);
    expect(last).toMatch(/href="\/admin\/outreach"[^>]*><span>Newest/);
    expect(last).toContain("3 of 3");
    const [first] = readRows(screens.server, "select min(id) as id from campaigns where state = 'draft'");
    const none = await screens.read(`/admin/outreach?drafts-before=${String(first?.id)}`);
    expect(none).toContain("No more results.");
    expect(none).toMatch(/href="\/admin\/outreach"[^>]*><span>Newest/);
  });

  it("has pages, shows the first one for a malformed page, and links to it from an empty one", async () => {
    const older = await screens.read(`/admin/outreach?sort=confirmed&before=${campaign}`);
    expect(older).toContain("No more results.");
    expect(older).toContain('href="/admin/outreach?sort=confirmed"');
    expect(older).not.toContain("No campaigns yet");
    expect(older).not.toContain("Drafts");
    expect(await screens.read("/admin/outreach?before=x")).toContain(page);
  });
});

it("an empty page of recipients links to the first one", async () => {
  const [last] = readRows(
    screens.server,
    "select max(id) as id from deliveries where campaign_id = ?",
    campaign,
  );
  const html = await screens.read(`${page}?state=sent&after=${String(last?.id)}`);
  expect(html).toContain("No more results.");
  expect(html).toMatch(new RegExp(`href="${page}\\?state=sent"[^>]*>Show the first page`));
  expect(await screens.read(`${page}?state=failed`)).toContain("No recipients with this status.");
});

describe("the question before a campaign", () => {
  const openQuestion = async (fields: Record<string, string>) =>
    screens.read(getLocation(await screens.press("send", fields)).split("#")[0] ?? "");

  it("shows who gets it once, fields without a default and missing settings", async () => {
    const html = await openQuestion({ message: "Dear {{name}} of {{company}}, {{role|all}}." });
    expect(html).toContain("You are about to send an email to 3 recipients.");
    expect(html).toContain("1 repeated address; it gets one email.");
    expect(html).toContain("{{company}} is empty for people who left it out.");
    expect(html).not.toMatch(/\{\{(?:name|role)\}\} is empty/);
    expect(html).toContain("No postal address is set");
  });

  it("is not asked of a text with an unknown field, which is named", async () => {
    for (const field of ["title", "message"]) {
      const answer = await screens.press("send", { [field]: "Dear {{nmae|you}}" });
      expect(answer.status).toBe(422);
      const html = await answer.text();
      expect(html).toContain("{{nmae}} is not a field, so nothing was sent.");
      expect(html).toContain("Dear {{nmae|you}}");
    }
  });

  it("warns that an audience of inquiries did not consent to marketing", async () => {
    await submit(screens.server, "/contact", { email: "dee@example.com" });
    const consent = "which is not consent to marketing";
    expect(await openQuestion({ audience: "contact-form" })).toContain(consent);
    expect(await openQuestion({})).not.toContain(consent);
  });
});

describe("an outdated button of a campaign's page", () => {
  const changed = "The status of this campaign has changed in the meantime";
  it.each([
    ["pause", "campaign-unchanged", changed],
    ["resume", "campaign-unchanged", changed],
    ["begin", "campaign-unchanged", changed],
    ["cancel", "campaign-unchanged", changed],
    ["retry-failed", "nothing-to-retry", "no failed recipients are left"],
    ["decide", "nothing-uncertain", "no uncertain recipients are left"],
  ])("%s changes nothing, and the page says so", async (intent, notice, sentence) => {
    const location = getLocation(await screens.post(page, { intent, decision: "resend" }));
    expect(location).toBe(`${page}?notice=${notice}`);
    expect(await screens.read(location)).toContain(sentence);
  });

  it("for a campaign that does not exist leads to the list, which says so", async () => {
    const location = getLocation(await screens.post("/admin/outreach/unknown", { intent: "pause" }));
    expect(location).toBe("/admin/outreach?notice=campaign-gone");
    expect(await screens.read(location)).toContain("This campaign no longer exists");
  });
});

it("uncertain emails of a cancelled campaign cannot be sent again", async () => {
  const id = await screens.createDraft();
  await screens.confirm(id);
  await screens.waitForState(id, "finished");
  execute(screens.server, "update deliveries set state = 'uncertain' where campaign_id = ?", id);
  const decisions = async () => {
    const html = await screens.read(`/admin/outreach/${id}`);
    return Array.from(html.matchAll(/name="decision" value="([^"]*)"/g), ([, decision]) => decision);
  };
  expect(await decisions()).toEqual(["resend", "count-as-sent"]);
  execute(screens.server, "update campaigns set state = 'cancelled' where id = ?", id);
  expect(await decisions()).toEqual(["count-as-sent"]);
});

it("a cancelled campaign refreshes its page until its last emails are settled", async () => {
  const id = await screens.createDraft();
  await screens.confirm(id);
  await screens.waitForState(id, "finished");
  execute(screens.server, "update campaigns set state = 'cancelled' where id = ?", id);
  const refresh = /<meta http-equiv="refresh"/i;
  expect(await screens.read(`/admin/outreach/${id}`)).not.toMatch(refresh);
  // As in flight in another instance.
  const claim = "update deliveries set state = 'claimed', lease_owner = 'another/1', lease_until = ?";
  execute(screens.server, `${claim} where campaign_id = ?`, Number.MAX_SAFE_INTEGER, id);
  expect(await screens.read(`/admin/outreach/${id}`)).toMatch(refresh);
  execute(screens.server, "update deliveries set state = 'sent' where campaign_id = ?", id);
});

describe("a question in the URL of a campaign", () => {
  const QUESTIONS = {
    edit: "Edit this campaign?",
    cancel: "Cancel this campaign?",
    begin: "Send this campaign now?",
    reschedule: "Reschedule this campaign",
    release: "Release 0 addresses?",
  };
  const REFRESH = /<meta http-equiv="refresh"/i;

  it("that is over is not shown", async () => {
    for (const [step, title] of Object.entries(QUESTIONS)) {
      expect(await screens.read(`${page}?step=${step}`), step).not.toContain(title);
    }
  });

  it("that has a start ahead is shown, and the page refreshes itself without it", async () => {
    const draft = await screens.createDraft();
    const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
    await screens.confirm(draft, { beginAt, whenMissed: "wait" });
    await screens.waitForState(draft, "sending");
    const { release, ...questions } = QUESTIONS;
    for (const [step, title] of Object.entries(questions)) {
      const html = await screens.read(`/admin/outreach/${draft}?step=${step}`);
      expect(html, step).toContain(title);
      expect(html, step).not.toMatch(REFRESH);
    }
    const html = await screens.read(`/admin/outreach/${draft}?step=release`);
    expect(html).not.toContain(release);
    expect(html).toMatch(REFRESH);
    await screens.post(`/admin/outreach/${draft}`, { intent: "cancel" });
  });
});

it("the question before a cancellation counts nobody while the recipients are still being listed", async () => {
  const id = await screens.createDraft();
  const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
  await screens.confirm(id, { beginAt, whenMissed: "wait" });
  await screens.waitForState(id, "sending");
  await screens.post(`/admin/outreach/${id}`, { intent: "pause" });
  const question = `/admin/outreach/${id}?step=cancel`;
  expect(await screens.read(question)).toContain("3 recipients will not get this email.");
  execute(screens.server, "update campaigns set prepared_through = '' where id = ?", id);
  expect(await screens.read(question)).toContain(
    "Recipients who are not reached yet will not get this email.",
  );
  await screens.post(`/admin/outreach/${id}`, { intent: "cancel" });
});

it("fills in a start that the reader's clocks show for the second time as the time that it is", async () => {
  const setZone = (zone: string | null) => execute(screens.server, "update accounts set time_zone = ?", zone);
  const id = await screens.createDraft();
  const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
  await screens.confirm(id, { beginAt, whenMissed: "wait" });
  await screens.waitForState(id, "sending");
  const start = Date.parse("2099-10-25T01:30Z");
  execute(screens.server, "update campaigns set hold_until = ? where id = ?", start, id);
  setZone("Europe/Berlin");
  const readStart = async (path: string) => {
    const html = await screens.read(path);
    const [, fields = ""] = /name="beginAt"(.*?)<\/select>/s.exec(html) ?? [];
    return [/value="(20[^"]*)"/.exec(fields)?.[1], /<option selected=""[^>]*>([^<]*)/.exec(fields)?.[1]];
  };
  const utc = ["2099-10-25T01:30", "UTC"];
  expect(await readStart(`/admin/outreach/${id}?step=reschedule`)).toEqual(utc);
  await screens.post(`/admin/outreach/${id}`, { intent: "edit" });
  expect(await readStart(`/admin/dashboard?draft=${id}&step=confirm`)).toEqual(utc);
  setZone(null);
});

describe("a draft", () => {
  const follow = async (answer: Response) => {
    expect(answer.status).toBe(303);
    const location = getLocation(answer);
    return { location, html: await screens.read(location.split("#")[0] ?? "") };
  };

  it("is copied from any campaign, belongs to who copied it, and opens in the panel", async () => {
    const answer = await screens.post(page, { intent: "copy" });
    const draft = getSearch(answer).get("draft") ?? "";
    const { location, html } = await follow(answer);
    expect(location).toBe(`/admin/dashboard?draft=${draft}&notice=draft-copied#outreach`);
    expect(draft).not.toBe(campaign);
    expect(html).toContain("Copied as a new draft");
    expect(html).toMatch(/<input[^>]*value="We open"/);
    // A jump to a form's rows leaves it open.
    expect(html).toContain(`href="/admin/dashboard?draft=${draft}#early-access"`);
    const none = await follow(await screens.post(`/admin/outreach/${draft}`, { intent: "copy" }));
    const opened = `/admin/dashboard?draft=${draft}&notice=campaign-is-draft#outreach`;
    expect(none.location).toBe(opened);
    const unchanged = getLocation(await screens.post(`/admin/outreach/${draft}`, { intent: "pause" }));
    expect(getLocation(await screens.get(unchanged))).toBe(opened);
  });

  it.each([
    ["the list of drafts", "/admin/outreach", ""],
    ["the panel", "/admin/dashboard", "#outreach"],
  ])("is discarded from %s and listed nowhere, until Undo restores it", async (_, path, anchor) => {
    const title = `Discard from ${path}`;
    const draft = await screens.createDraft({ title });
    const { location, html } = await follow(await screens.post(path, { intent: "discard", draft }));
    expect(location).toBe(`${path}?discarded=${draft}&notice=draft-discarded${anchor}`);
    expect(html).toContain("Draft discarded.");
    expect(html).toMatch(/name="intent" value="restore"[^>]*>Undo</);
    expect(await screens.read("/admin/outreach")).not.toContain(title);
    expect(await screens.read(`/admin/dashboard?draft=${draft}`)).not.toContain(title);
    await follow(await screens.post(path, { intent: "restore", draft }));
    expect(await screens.read("/admin/outreach")).toContain(title);
  });

  it("is discarded and restored in the order of the list, on the page of its drafts", async () => {
    const draft = await screens.createDraft({ title: "Discard from a page" });
    const newer = await screens.createDraft();
    const list = `/admin/outreach?sort=title&drafts-before=${newer}`;
    const action = `action="${list.replaceAll("&", "&amp;")}`;
    expect(await screens.read(list)).toContain(`${action}"`);
    const { location, html } = await follow(await screens.post(list, { intent: "discard", draft }));
    expect(location).toBe(`${list}&discarded=${draft}&notice=draft-discarded`);
    expect(html).toContain(`${action}&amp;notice=draft-discarded`);
    const restored = await follow(await screens.post(list, { intent: "restore", draft }));
    expect(restored.location).toBe(`${list}&notice=draft-restored`);
    expect(restored.html).toContain("Discard from a page");
    const gone = await screens.post(list, { intent: "discard", draft: campaign });
    expect(getLocation(gone)).toBe(`${list}&notice=draft-gone`);
  });

  it("that does not exist cannot be discarded or restored, and the page says so", async () => {
    for (const path of ["/admin/outreach", "/admin/dashboard"]) {
      for (const intent of ["discard", "restore"]) {
        const { location, html } = await follow(await screens.post(path, { intent, draft: campaign }));
        expect(location).toContain("notice=draft-gone");
        expect(html).toContain("This draft no longer exists");
      }
    }
  });
});
