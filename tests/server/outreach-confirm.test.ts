import SqliteFile from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { audienceMessages } from "~/content/audiences";
import { campaignStartMessages } from "~/content/campaign-start";
import { newId } from "~/services/service-deps";
import { notices } from "~/content/notices";
import { outreachMessages as copy } from "~/content/outreach";
import { paceMessages } from "~/content/pace";
import { removeAfterTest } from "../fixture";
import type { ServerProcess } from "../server-process";
import { getRegion, getValue } from "./form-html";
import { becomeAdmin } from "./operators";
import { getLocation, getSearch, PANEL_FIELDS, useOutreachScreens } from "./outreach-screens";
import { databaseFile, readRows } from "./visitors";
import { readText } from "./session";

const { problems, rescheduleTitle, beginNowTitle, editTitle, chosen } = campaignStartMessages;

/** Lets the database refuse every change of a campaign. @returns the function that ends it. */
function refuseWritesTo(server: ServerProcess, campaign: string): () => void {
  const file = removeAfterTest(new SqliteFile(databaseFile(server)));
  file.exec(`create trigger refuse_campaign before update on campaigns when old.id = '${campaign}'
    begin select raise(abort, 'refused by the test'); end`);
  return () => void file.exec("drop trigger refuse_campaign");
}

const screens = useOutreachScreens();
beforeAll(async () => {
  for (const email of ["ada@example.com", "bo@example.com", "cy@example.com"]) await screens.signUp(email);
});

const openQuestion = (draft: string) => screens.read(`/admin/dashboard?draft=${draft}&step=confirm`);

it("an empty form that is sent twice at once saves one draft", async () => {
  const newDraft = getValue(await screens.read("/admin/dashboard"), "newDraft");
  const ids = Promise.all([screens.createDraft({ newDraft }), screens.createDraft({ newDraft })]);
  expect(await ids).toEqual([newDraft, newDraft]);
});

it("a draft open in two windows of one account is not saved over either's text", async () => {
  const { read, press, createDraft, getCampaign } = screens;
  const draft = await createDraft();
  const openWindow = async () => {
    const html = await read(`/admin/dashboard?draft=${draft}`);
    return { draft, base: getValue(html, "base"), newDraft: getValue(html, "newDraft") };
  };
  const [first, second] = [await openWindow(), await openWindow()];
  const typed = { ...first, message: "Twenty minutes of text." };
  // Autosave and a button of the same window, both with the base it was opened with.
  expect((await press("autosave", { ...first, message: "Ten minutes of text." })).status).toBe(200);
  expect((await press("save", typed)).status).toBe(303);

  const page = await readText(press("save", { ...second, message: "One word." }), 409);
  expect(page).toContain(copy.conflictOwn);
  expect(page).toContain("Twenty minutes of text.");
  expect(getValue(page, "message")).toBe("One word.");
  expect(getCampaign(draft)).toMatchObject({ message: "Twenty minutes of text." });
});

it("an autosave that is sent again as a document, after a session's end, shows both texts", async () => {
  const { read, press, createDraft, getCampaign } = screens;
  const draft = await createDraft();
  const html = await read(`/admin/dashboard?draft=${draft}`);
  const opened = { draft, base: getValue(html, "base"), newDraft: getValue(html, "newDraft") };
  await press("save", { ...opened, newDraft: newId(), message: "A colleague's text." });
  const typed = { ...opened, message: "Twenty minutes of text.", limit: "0" };
  const page = await readText(press("autosave", typed), 409);
  expect(page).toContain(copy.conflictOwn);
  expect(page).toContain("A colleague&#x27;s text.");
  expect(getValue(page, "message")).toBe("Twenty minutes of text.");
  expect(getValue(page, "limit")).toBe("0");
  expect(getValue(page, "draft")).toBe(draft);
  expect(getCampaign(draft)).toMatchObject({ message: "A colleague's text." });
});

it.each<[string, Record<string, string>, string]>([
  ["test address", { testAddress: "jane@" }, "test_address"],
  ["title", { title: "x".repeat(201) }, "title"],
  ["message", { message: "\0" }, "message"],
  ["limit", { limit: "0" }, "narrowing"],
  ["last day", { from: "2026-10-02", to: "2026-10-01" }, "narrowing"],
])("an autosave keeps the stored %s while the typed one is not valid", async (_, invalid, column) => {
  const { read, press, createDraft, getCampaign } = screens;
  const fields = { testAddress: "jane@example.com", role: "developer" };
  const newDraft = getValue(await read("/admin/dashboard"), "newDraft");
  const draft = await createDraft({ ...fields, newDraft });
  const stored = getCampaign(draft);
  const changed = { title: "We open on Monday", message: "Come in on Monday." };
  const answer = await press("autosave", { ...fields, ...changed, ...invalid, draft, newDraft });
  expect(answer.status).toBe(200);
  expect(getCampaign(draft)).toMatchObject({ ...changed, [column]: stored?.[column] });
});

it("the first autosave leaves out what is not valid", async () => {
  const newDraft = getValue(await screens.read("/admin/dashboard"), "newDraft");
  const fields = { newDraft, testAddress: "jane@", company: "acme", got: "sent", limit: "0" };
  expect((await screens.press("autosave", fields)).status).toBe(200);
  const { title, message } = PANEL_FIELDS;
  const narrowing = JSON.stringify({ company: "acme", order: "oldest" });
  const saved = { title, message, test_address: "", narrowing };
  expect(screens.getCampaign(newDraft)).toMatchObject(saved);
});

it("a draft is not saved over a version that was not shown", async () => {
  const { server, press, createDraft, getCampaign } = screens;
  const colleague = await becomeAdmin(server, screens.superadmin.cookie, "bo@example.com");
  const draft = await createDraft();
  const base = getValue(await screens.read(`/admin/dashboard?draft=${draft}`), "base");
  const theirs = { title: "We open on Monday", message: "Come in.", audience: "early-access", draft, base };
  const saved = await colleague.post("/admin/dashboard", { ...theirs, testAddress: "", intent: "save" });
  expect(saved.status).toBe(303);

  const mine = { title: "We open on Tuesday", draft, base };
  const page = await readText(press("send", mine), 409);
  expect(page).toContain(copy.conflict);
  expect(page).toContain("We open on Monday");
  expect(getValue(page, "title")).toBe("We open on Tuesday");
  expect(getCampaign(draft)).toMatchObject({ title: "We open on Monday" });

  const again = await press("save-mine", { ...mine, theirs: getValue(page, "theirs") });
  expect(getSearch(again).get("notice")).toBe("draft-saved");
  expect(getCampaign(draft)).toMatchObject({ title: "We open on Tuesday" });
});

it("a form whose draft was confirmed meanwhile does not ask to send it again, and says that it is a new one", async () => {
  const { read, press, createDraft, getCampaign } = screens;
  const draft = await createDraft();
  const html = await read(`/admin/dashboard?draft=${draft}`);
  const opened = { draft, base: getValue(html, "base"), newDraft: getValue(html, "newDraft") };
  expect(getSearch(await screens.confirm(draft)).get("send")).toBe(draft);

  const told = notices["draft-confirmed-before"].text;
  for (const intent of ["send", "preview", "save", "test"]) {
    const answer = await press(intent, { ...opened, testAddress: "jane@example.com" });
    expect(answer.status).toBe(303);
    const copied = getSearch(answer).get("draft") ?? "";
    expect(getSearch(answer).toString()).toBe(`draft=${copied}&notice=draft-confirmed-before`);
    expect(getCampaign(copied)).toMatchObject({ state: "draft", title: PANEL_FIELDS.title });
    const page = await read(getLocation(answer));
    expect(page).toContain(told);
    expect(getValue(page, "draft")).toBe(copied);
    // The next press is about a draft that the operator knows to be new.
    expect(getSearch(await press("send", { draft: copied })).get("step")).toBe("confirm");
  }
});

it("a conflict shows whom the other text goes to, and its format", async () => {
  const { read, press, createDraft } = screens;
  const draft = await createDraft();
  const base = getValue(await read(`/admin/dashboard?draft=${draft}`), "base");
  const theirs = { role: "developer", limit: "200", format: "markdown" };
  expect((await press("save", { ...theirs, draft, base, newDraft: newId() })).status).toBe(303);

  const page = await readText(press("save", { draft, base, newDraft: newId() }), 409);
  const saved = getRegion(page, copy.conflictTitle);
  expect(saved).toContain("Developers, the oldest 200");
  expect(saved).toContain("Markdown");
});

describe("the confirmation of a campaign, without JavaScript", () => {
  // C30
  it("is accepted at once though people signed up since", async () => {
    const { server, post, press, reviewCampaign } = screens;
    const where = getLocation(await press("send"));
    const draft = new URL(where, server.origin).searchParams.get("draft") ?? "";
    expect(await screens.read(where)).toContain("You are about to send an email to 3 recipients.");
    const fields = await reviewCampaign(draft);
    for (const email of ["dee@example.com", "eve@example.com"]) await screens.signUp(email);

    const listConfirmed = () => readRows(server, "select id from campaigns where state <> 'draft'");
    const before = listConfirmed().length;
    const send = () => post("/admin/dashboard", fields);
    // Twice at once, and again from the browser's history.
    const outcomes = [...(await Promise.all([send(), send()])), await send()];
    for (const outcome of outcomes) {
      expect([outcome.status, getSearch(outcome).get("send")]).toEqual([303, draft]);
    }
    expect(listConfirmed()).toHaveLength(before + 1);
    await screens.waitForState(draft, "finished");
    expect(
      readRows(server, "select address from deliveries where campaign_id = ? order by id", draft),
    ).toEqual([{ address: "ada@example.com" }, { address: "bo@example.com" }, { address: "cy@example.com" }]);
  });

  // C30
  it("is asked for again, with both texts, when a colleague changed the draft", async () => {
    const { server, post, createDraft, reviewCampaign, getCampaign } = screens;
    const colleague = await becomeAdmin(server, screens.superadmin.cookie, "cy@example.com");
    const draft = await createDraft();
    const question = `/admin/dashboard?draft=${draft}&step=confirm`;
    const fields = await reviewCampaign(draft);
    const base = getValue(await colleague.read(`/admin/dashboard?draft=${draft}`), "base");
    const theirs = { ...PANEL_FIELDS, message: "A colleague's words.", draft, base, intent: "save" };
    expect((await colleague.post("/admin/dashboard", theirs)).status).toBe(303);

    const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
    const html = await readText(post(question, { ...fields, beginAt }), 409);
    const dialog = html.slice(html.indexOf("<dialog"), html.indexOf("</dialog>"));
    const parts = [copy.contentChanged, "cy@example.com", copy.confirmedText, PANEL_FIELDS.message];
    const places = [...parts, copy.currentText, "A colleague&#x27;s words.", "You are about to"].map((part) =>
      dialog.indexOf(part),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    // Nothing typed is lost, and Enter cancels.
    expect(dialog).toContain(`value="${beginAt}"`);
    expect(dialog).toMatch(/<a[^>]*autofocus[^>]*>Cancel</i);
    expect(getCampaign(draft)).toMatchObject({ state: "draft" });
    expect(getSearch(await screens.confirm(draft)).get("send")).toBe(draft);
  });

  // C30
  it("shows whom it went to and its format when a colleague changed these alone", async () => {
    const draft = await screens.createDraft();
    const fields = await screens.reviewCampaign(draft);
    const base = getValue(await screens.read(`/admin/dashboard?draft=${draft}`), "base");
    const theirs = { role: "developer", limit: "200", format: "markdown", draft, base };
    expect((await screens.press("save", theirs)).status).toBe(303);
    const html = await readText(screens.post(`/admin/dashboard?draft=${draft}&step=confirm`, fields), 409);
    const confirmed = getRegion(html, copy.confirmedText);
    expect(confirmed).toContain(audienceMessages.everybody);
    expect(confirmed).toContain("Plain text");
    const current = getRegion(html, copy.currentText);
    expect(current).toContain("Developers, the oldest 200");
    expect(current).toContain("Markdown");
  });

  it("keeps its dialog and says so when it cannot be stored", async () => {
    const { server, createDraft, reviewCampaign, getCampaign } = screens;
    const draft = await createDraft();
    const fields = await reviewCampaign(draft);
    const repair = refuseWritesTo(server, draft);
    const html = await readText(screens.post(`/admin/dashboard?draft=${draft}&step=confirm`, fields), 503);
    const dialog = html.slice(html.indexOf("<dialog"), html.indexOf("</dialog>"));
    expect(dialog).toContain(copy.failed);
    expect(dialog).toContain(copy.confirmFailed);
    repair();
    expect(getCampaign(draft)).toMatchObject({ state: "draft" });
    expect(getSearch(await screens.confirm(draft)).get("send")).toBe(draft);
  });

  // C30
  it.each([
    ["no fields", undefined],
    ["a malformed position", { through: "1e3" }],
    ["a negative count", { counted: "-1" }],
    ["a position beyond what a number holds", { through: "9".repeat(400) }],
  ])("is asked for again when it is sent with %s", async (_, wrong) => {
    const draft = await screens.createDraft();
    const fields = wrong ? { ...(await screens.reviewCampaign(draft)), ...wrong } : {};
    const question = `/admin/dashboard?draft=${draft}&step=confirm`;
    const answer = screens.post(question, { ...fields, draft, intent: "confirm" });
    expect(await readText(answer, 409)).toContain(copy.contentChanged);
    expect(screens.getCampaign(draft)).toMatchObject({ state: "draft" });
  });

  // C30
  it("shows the number the progress continues with, and its parts beside it", async () => {
    const fields = { intent: "one", address: "ada@example.com", note: "Asked by phone" };
    await screens.post("/admin/suppressions/add", fields);
    const draft = await screens.createDraft();
    expect(await openQuestion(draft)).toContain("You are about to send an email to 4 recipients.");
    const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
    await screens.confirm(draft, { beginAt, whenMissed: "send" });
    await screens.waitForState(draft, "sending");
    const progress = await screens.read(`/admin/dashboard?send=${draft}`);
    expect(progress).toContain(chosen(4));
    expect(progress).toContain("1 skipped (1 on the suppression list)");
  });
});

describe("the schedule of a campaign", () => {
  /** Formats a time as the field submits it. */
  const toField = (at: number) => new Date(at).toISOString().slice(0, 16);
  const getYearAndDay = () => new Date().setUTCFullYear(new Date().getUTCFullYear() + 1) + days(1);

  /** Confirms a new draft with these schedule fields. */
  async function schedule(fields: Record<string, string>) {
    const draft = await screens.createDraft();
    return { draft, answer: await screens.confirm(draft, fields) };
  }

  // C19
  it.each<[string, () => string, string]>([
    ["a time that is over", () => toField(Date.now() - minutes(1)), problems["time-passed"]],
    ["a year and a day", () => toField(getYearAndDay()), problems["too-far"]],
    ["the year 9999", () => "9999-12-31T23:59", problems["too-far"]],
    ["nonsense", () => "tomorrow", problems["not-a-time"]],
    ["a day that does not exist", () => "2027-02-29T08:00", problems["not-a-time"]],
    ["a time with an offset", () => "2027-02-27T08:00+02:00", problems["not-a-time"]],
  ])("with %s is 422 at its field, with what was typed, and nothing is sent", async (_, time, words) => {
    const beginAt = time();
    const { draft, answer } = await schedule({ beginAt, whenMissed: "wait" });
    const html = await readText(answer, 422);
    const input = /<input[^>]*name="beginAt"[^>]*>/.exec(html)?.[0] ?? "";
    expect(input).toContain(`value="${beginAt}"`);
    expect(input).toContain('aria-invalid="true"');
    const error = /aria-describedby="[^"]*?([^" ]+-error)"/.exec(input)?.[1] ?? "none";
    expect(html.slice(html.indexOf(`id="${error}"`))).toContain(words);
    expect(html).toContain('<option value="wait" selected="">');
    expect(screens.getCampaign(draft)).toMatchObject({ state: "draft", hold_until: null });
  });

  // C19
  it.each([
    ["a choice that is not offered", { whenMissed: "never" }, problems["no-choice"]],
    ["the time zone Mars/Base", { timeZone: "Mars/Base" }, problems["no-zone"]],
    ["the time zone +02:00", { timeZone: "+02:00" }, problems["no-zone"]],
    ["an empty time zone", { timeZone: "" }, problems["no-zone"]],
    ["a pace that is not offered", { pace: "5" }, paceMessages.unknown],
  ])("with %s is 422", async (_, fields, words) => {
    const { draft, answer } = await schedule({ beginAt: toField(Date.now() + hours(2)), ...fields });
    expect(await readText(answer, 422)).toContain(words);
    expect(screens.getCampaign(draft)).toMatchObject({ state: "draft" });
  });

  it("is stored in UTC, and the campaign's pages show it", async () => {
    const beginAt = toField(Date.now() + days(2));
    const { draft, answer } = await schedule({ beginAt, whenMissed: "wait", pace: String(hours(24)) });
    expect(answer.status).toBe(303);
    expect(screens.getCampaign(draft)).toMatchObject({
      pace_ms: hours(24),
      hold: "schedule",
      when_missed: "wait",
      hold_until: Date.parse(`${beginAt}Z`),
    });
    const shown = beginAt.replace("T", " ");
    for (const path of [`/admin/outreach/${draft}`, `/admin/dashboard?send=${draft}`]) {
      const page = await screens.read(path);
      expect(page).toContain(shown);
      expect(page).toContain(`href="/admin/outreach/${draft}?step=begin"`);
      expect(page).toContain("Spread over 24 hours: about");
    }
    const question = await screens.read(`/admin/outreach/${draft}?step=begin`);
    expect(question).toContain(beginNowTitle);
    expect(question).toContain(`instead of on ${shown}`);
    expect(question).toContain('name="intent" value="begin"');
    await screens.post(`/admin/outreach/${draft}`, { intent: "begin" });
    expect(screens.getCampaign(draft)).toMatchObject({ hold: "" });
  });

  it("is read in the zone beside it, at first the operator's, in which all pages show it", async () => {
    const at = new Date(Date.now() + days(2)).toISOString().slice(0, 11) + "09:30";
    const { draft } = await schedule({ beginAt: at, timeZone: "Asia/Tokyo", whenMissed: "send" });
    expect(screens.getCampaign(draft)).toMatchObject({ hold_until: Date.parse(`${at}+09:00`) });
    await screens.post("/admin/account", { intent: "time-zone", timeZone: "Asia/Kolkata" });
    const there = at.replace("09:30", "06:00");
    const shown = there.replace("T", " ");
    for (const path of [`/admin/outreach/${draft}`, `/admin/dashboard?send=${draft}`, "/admin/outreach"]) {
      expect(await screens.read(path)).toContain(shown);
    }
    const reschedule = await screens.read(`/admin/outreach/${draft}?step=reschedule`);
    expect(reschedule).toContain(`value="${there}"`);
    const next = await screens.read(`/admin/dashboard?draft=${await screens.createDraft()}&step=confirm`);
    for (const page of [reschedule, next]) {
      expect(page).toMatch(/<option selected="">Asia\/Kolkata<\/option>/);
    }
    expect(await screens.read(`/admin/outreach/${draft}?step=begin`)).toContain(`instead of on ${shown}`);
    await screens.post("/admin/account", { intent: "time-zone", timeZone: "UTC" });
  });

  it("is changed by a form that refuses what the first one refuses", async () => {
    const { draft } = await schedule({ beginAt: toField(Date.now() + days(2)), whenMissed: "send" });
    const reschedule = (beginAt: string, id = draft) =>
      screens.post(`/admin/outreach/${id}?step=reschedule`, {
        intent: "reschedule",
        beginAt,
        timeZone: "UTC",
        whenMissed: "wait",
      });
    for (const [beginAt, words] of [
      ["", problems["not-a-time"]],
      ["tomorrow", problems["not-a-time"]],
      [toField(Date.now() - hours(1)), problems["time-passed"]],
      [toField(getYearAndDay()), problems["too-far"]],
    ] as const) {
      const html = await readText(reschedule(beginAt), 422);
      expect(html).toContain(words);
      expect(html).toContain(rescheduleTitle);
      expect(html).toContain(`name="beginAt" value="${beginAt}"`);
    }
    const at = toField(Date.now() + days(3));
    const page = `/admin/outreach/${draft}`;
    expect(getLocation(await reschedule(at))).toBe(`${page}?notice=campaign-rescheduled`);
    const rescheduled = { hold_until: Date.parse(`${at}Z`), when_missed: "wait" };
    expect(screens.getCampaign(draft)).toMatchObject(rescheduled);
    await screens.post(page, { intent: "cancel" });
    expect(getLocation(await reschedule(at))).toBe(`${page}?notice=campaign-unchanged`);
    expect(getLocation(await reschedule(at, "nobody"))).toBe("/admin/outreach?notice=campaign-gone");
  });

  it("is kept when the campaign is edited, and confirmed again", async () => {
    const beginAt = toField(Date.now() + days(2));
    const { draft } = await schedule({ beginAt, whenMissed: "wait" });
    const page = `/admin/outreach/${draft}`;
    const shown = beginAt.replace("T", " ");
    for (const path of [page, `/admin/dashboard?send=${draft}`]) {
      expect(await screens.read(path)).toContain(`href="${page}?step=edit"`);
    }
    const question = await screens.read(`${page}?step=edit`);
    expect(question).toContain(editTitle);
    expect(question).toMatch(new RegExp(`Its time, .*${shown}.*, is kept for that`));
    const opened = `/admin/dashboard?draft=${draft}`;
    const edit = () => screens.post(page, { intent: "edit" });
    expect(getLocation(await edit())).toBe(`${opened}&notice=campaign-reopened#outreach`);
    expect(screens.getCampaign(draft)).toMatchObject({ state: "draft", hold: "", confirmed_at: null });
    // A colleague, or a second click.
    expect(getLocation(await edit())).toBe(`${opened}&notice=campaign-is-draft#outreach`);
    expect(getLocation(await screens.get(page))).toBe(`${opened}#outreach`);
    const form = await screens.read(opened);
    expect(form).toContain("This draft was scheduled for");
    const base = getValue(form, "base");
    expect((await screens.press("save", { draft, base, message: "Come in, all of you." })).status).toBe(303);
    const again = await openQuestion(draft);
    expect(getValue(again, "beginAt")).toBe(beginAt);
    expect(again).toContain('<option value="wait" selected="">');
    expect((await screens.confirm(draft, { beginAt, whenMissed: "wait" })).status).toBe(303);
    expect(screens.getCampaign(draft)).toMatchObject({
      hold: "schedule",
      hold_until: Date.parse(`${beginAt}Z`),
      message: "Come in, all of you.",
    });
  });

  it("does not open a campaign for editing that has begun or is unknown", async () => {
    const { draft } = await schedule({ beginAt: toField(Date.now() + days(2)), whenMissed: "send" });
    const page = `/admin/outreach/${draft}`;
    await screens.post(page, { intent: "begin" });
    expect(getLocation(await screens.post(page, { intent: "edit" }))).toBe(
      `${page}?notice=campaign-not-editable`,
    );
    expect(screens.getCampaign(draft)?.state).not.toBe("draft");
    expect(await screens.read(`${page}?step=edit`)).not.toContain(editTitle);
    expect(getLocation(await screens.post("/admin/outreach/nobody", { intent: "edit" }))).toBe(
      "/admin/outreach?notice=campaign-gone",
    );
  });
});
