import { beforeAll, describe, expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { operatorMessages } from "~/content/operator-messages";
import { getConfirmFields } from "../question-fields";
import { formPost, logIn } from "../server-process";
import type { ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { rowsOf, signUp, someone, stampOfAPerson } from "./visitors";

const copy = operatorMessages.campaignStart;

let server: ServerProcess;
let cookie: string;
beforeAll(async () => {
  server = await sharedServer();
  const stamp = await stampOfAPerson(server);
  await signUp(server, { stamp, name: "Ada", email: "ada@example.com" }, someone());
  cookie = await logIn(server, undefined, someone());
});

const post = (path: string, fields: Record<string, string>) =>
  server.fetch(path, formPost(fields, { Cookie: cookie }));

/** A draft that stands before the question. */
async function asked(): Promise<{ draft: string; question: string }> {
  const content = { audience: "early-access", title: "Hello", message: "A message.", draft: "" };
  const answer = await post("/admin/dashboard", { ...content, intent: "send" });
  const { pathname, search, searchParams } = new URL(answer.headers.get("Location") ?? "", server.origin);
  return { draft: searchParams.get("draft") ?? "", question: pathname + search };
}

/** Says yes, with what the fields of the time hold. */
const confirm = async (when: Record<string, string>) => {
  const { draft, question } = await asked();
  const fields = await getConfirmFields(server, { Cookie: cookie }, draft);
  const answer = await post(question, { ...fields, ...when });
  return { draft, answer };
};

const campaignOf = (draft: string) =>
  rowsOf(server, `select state, waits_for, when_missed, resume_at from campaigns where id = '${draft}'`)[0];

/** As the field writes it. */
const field = (at: number) => new Date(at).toISOString().slice(0, 16);
const aYearAndADay = () => new Date().setUTCFullYear(new Date().getUTCFullYear() + 1) + days(1);

describe("a send is begun later only at a time that will come (C19)", () => {
  it.each<[string, () => string, string]>([
    ["a time that is over", () => field(Date.now() - minutes(1)), copy.problems["time-passed"]],
    ["a year and a day", () => field(aYearAndADay()), copy.problems["too-far"]],
    ["the year 9999", () => "9999-12-31T23:59", copy.problems["too-far"]],
    ["nonsense", () => "tomorrow", copy.problems["not-a-time"]],
    ["a day that does not exist", () => "2027-02-29T08:00", copy.problems["not-a-time"]],
    ["a time with an offset", () => "2027-02-27T08:00+02:00", copy.problems["not-a-time"]],
    ["a number", () => "1e99", copy.problems["not-a-time"]],
  ])("%s is 422 at its field, with what was typed, and nothing is sent (C19)", async (_, time, words) => {
    const beginAt = time();
    const { draft, answer } = await confirm({ beginAt, whenMissed: "wait" });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    const input = /<input[^>]*name="beginAt"[^>]*>/.exec(html)?.[0] ?? "";
    expect(input).toContain(`value="${beginAt}"`);
    expect(input).toContain('aria-invalid="true"');
    const error = /aria-describedby="[^"]*?([^" ]+-error)"/.exec(input)?.[1] ?? "none";
    expect(html.slice(html.indexOf(`id="${error}"`))).toContain(words);
    expect(html).toContain('<option value="wait" selected="">');
    expect(campaignOf(draft)).toMatchObject({ state: "draft", resume_at: 0 });
  });

  it("a choice that nobody offered is 422 too (C19)", async () => {
    const { draft, answer } = await confirm({ beginAt: field(Date.now() + hours(2)), whenMissed: "never" });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(copy.problems["no-choice"]);
    expect(campaignOf(draft)).toMatchObject({ state: "draft" });
  });

  it("a good time is kept as UTC, and its pages say when the send begins", async () => {
    const beginAt = field(Date.now() + days(2));
    const { draft, answer } = await confirm({ beginAt, whenMissed: "wait" });
    expect(answer.status).toBe(303);
    expect(campaignOf(draft)).toMatchObject({
      waits_for: "schedule",
      when_missed: "wait",
      resume_at: Date.parse(`${beginAt}Z`),
    });
    for (const path of [`/admin/outreach/${draft}`, `/admin/dashboard?send=${draft}`]) {
      const page = await (await server.fetch(path, { headers: { Cookie: cookie } })).text();
      expect(page).toContain(`${beginAt.replace("T", " ")} UTC`);
      expect(page).toContain(`href="/admin/outreach/${draft}?step=send-now"`);
    }
    const asked = await server.fetch(`/admin/outreach/${draft}?step=send-now`, {
      headers: { Cookie: cookie },
    });
    const question = await asked.text();
    expect(question).toContain(copy.beginNowTitle);
    expect(question).toContain(`instead of on ${beginAt.replace("T", " ")} UTC`);
    expect(question).toContain('name="intent" value="begin"');
    await post(`/admin/outreach/${draft}`, { intent: "begin" });
    expect(campaignOf(draft)).toMatchObject({ waits_for: "" });
  });

  it("a time is meant in the zone that was chosen, which this browser keeps", async () => {
    const at = new Date(Date.now() + days(2)).toISOString().slice(0, 11) + "09:30";
    const { draft, answer } = await confirm({ beginAt: at, timeZone: "Asia/Tokyo", whenMissed: "send" });
    expect(campaignOf(draft)).toMatchObject({ resume_at: Date.parse(`${at}+09:00`) });
    const kept = answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const open = async (path: string) =>
      (await server.fetch(path, { headers: { Cookie: `${cookie}; ${kept}` } })).text();
    for (const path of [`/admin/outreach/${draft}`, `/admin/dashboard?send=${draft}`, "/admin/outreach"]) {
      expect(await open(path)).toContain(`${at.replace("T", " ")} (Asia/Tokyo)`);
    }
    const question = await open(`/admin/outreach/${draft}?step=reschedule`);
    expect(question).toContain(`value="${at}"`);
    expect(question).toMatch(/<option selected="">Asia\/Tokyo<\/option>/);
    const next = await asked();
    expect(await open(next.question)).toMatch(/<option selected="">Asia\/Tokyo<\/option>/);
    expect(await open(`/admin/outreach/${draft}?step=send-now`)).toContain(
      `instead of on ${at.replace("T", " ")} (Asia/Tokyo)`,
    );
  });

  it.each(["Mars/Base", "+02:00", ""])("a zone that nobody offered is 422: %j (C19)", async (timeZone) => {
    const { draft, answer } = await confirm({ beginAt: field(Date.now() + hours(2)), timeZone });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(copy.problems["no-zone"]);
    expect(campaignOf(draft)).toMatchObject({ state: "draft" });
  });

  it("is rescheduled by a form that refuses what the first one refused, and says so", async () => {
    const { draft } = await confirm({ beginAt: field(Date.now() + days(2)), whenMissed: "send" });
    const path = `/admin/outreach/${draft}?step=reschedule`;
    const send = (beginAt: string, timeZone = "UTC") =>
      post(path, { intent: "reschedule", beginAt, timeZone, whenMissed: "wait" });
    for (const [beginAt, words] of [
      ["", copy.problems["not-a-time"]],
      ["tomorrow", copy.problems["not-a-time"]],
      [field(Date.now() - hours(1)), copy.problems["time-passed"]],
      [field(aYearAndADay()), copy.problems["too-far"]],
    ] as const) {
      const refused = await send(beginAt);
      expect(refused.status).toBe(422);
      const html = await refused.text();
      expect(html).toContain(words);
      expect(html).toContain(copy.rescheduleTitle);
      expect(html).toContain(`name="beginAt" value="${beginAt}"`);
    }
    const at = field(Date.now() + days(3));
    const answer = await send(at);
    expect(answer.headers.get("Location")).toBe(`/admin/outreach/${draft}?notice=campaign-rescheduled`);
    expect(campaignOf(draft)).toMatchObject({ resume_at: Date.parse(`${at}Z`), when_missed: "wait" });
    await post(`/admin/outreach/${draft}`, { intent: "cancel" });
    expect((await send(at)).headers.get("Location")).toBe(
      `/admin/outreach/${draft}?notice=campaign-unchanged`,
    );
    expect(
      (await post("/admin/outreach/nobody", { intent: "reschedule", beginAt: at })).headers.get("Location"),
    ).toBe("/admin/outreach?notice=campaign-gone");
  });

  it("no time at all begins at once", async () => {
    const { draft, answer } = await confirm({ beginAt: "", whenMissed: "send" });
    expect(answer.status).toBe(303);
    expect(campaignOf(draft)).toMatchObject({ waits_for: "", when_missed: "" });
  });
});
