import { beforeAll, expect, it } from "vitest";
import { wavePlanMessages as copy } from "~/content/wave-plans";
import { waveReminderMessages as reminderCopy } from "~/content/wave-reminders";
import { days } from "~/lib/durations";
import { notices } from "~/content/notices";
import { useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";
import { useServer } from "./use-server";
import { readRows } from "./visitors";

const screens = useOutreachScreens(useServer({ INVITE_URL: "https://app.example.com/join?code={code}" }));
beforeAll(async () => {
  for (const email of ["ada@example.com", "grace@example.com"]) await screens.signUp(email);
});

const createWave = (fields: Record<string, string> = {}) =>
  screens.createDraft({ message: "Come in: {{invite_link}}", limit: "1", ...fields });
const openQuestion = (draft: string) => screens.read(`/admin/dashboard?draft=${draft}&step=confirm`);
const getPlan = (draft: string) =>
  readRows(screens.server, "select * from wave_plans where last_id = ?", draft)[0];

it("is offered for waves of a limited number of people", async () => {
  expect(await openQuestion(await createWave())).toContain('name="repeat"');
  expect(await openQuestion(await createWave({ limit: "" }))).not.toContain('name="repeat"');
  expect(await openQuestion(await screens.createDraft({ limit: "1" }))).not.toContain('name="repeat"');
});

it("in a form with a choice that is not offered is asked again, with what was chosen", async () => {
  const draft = await createWave();
  const html = await readText(screens.confirm(draft, { repeat: "hour", pace: "3600000" }), 422);
  expect(html).toContain(copy.unknown);
  expect(html).toContain('<option value="3600000" selected="">');
  expect(screens.getCampaign(draft)).toMatchObject({ state: "draft" });
});

it("asks again with a time of a reminder that is not offered", async () => {
  const draft = await createWave();
  const html = await readText(screens.confirm(draft, { remind: "5", repeat: "week" }), 422);
  expect(html).toContain(reminderCopy.unknown);
  expect(html).toContain('<option value="week" selected="">');
  expect(screens.getCampaign(draft)).toMatchObject({ state: "draft" });
});

it("asks with the reminder and the pace that it had before it was edited", async () => {
  const draft = await createWave();
  const beginAt = new Date(Date.now() + days(2)).toISOString().slice(0, 16);
  const remind = String(days(3));
  await screens.confirm(draft, { remind, pace: "3600000", beginAt, timeZone: "UTC", whenMissed: "send" });
  expect(screens.getCampaign(draft)).toMatchObject({ remind_ms: days(3) });
  await screens.post(`/admin/outreach/${draft}`, { intent: "edit" });
  const html = await openQuestion(draft);
  for (const kept of [remind, "3600000"]) expect(html).toContain(`<option value="${kept}" selected="">`);
});

it("says when the next wave comes on its page, until it is stopped there", async () => {
  const draft = await createWave();
  const remind = String(days(7));
  expect((await screens.confirm(draft, { repeat: "weekday", remind })).status).toBe(303);
  expect(getPlan(draft)).toMatchObject({ repeats: "weekday", time_zone: "UTC", ended: "" });
  const page = `/admin/outreach/${draft}`;
  const html = await screens.read(page);
  expect(html).toMatch(/Repeats every weekday at \d\d:\d\d: the next person on /);
  expect(html).toContain(copy.stop);
  expect(html).toContain(reminderCopy.explain(days(7)));

  const answer = await screens.post(page, { intent: "stop-repeating" });
  expect(answer.status).toBe(303);
  const stopped = await screens.read(answer.headers.get("Location") ?? "");
  expect(stopped).toContain(notices["wave-repeats-no-more"].text);
  expect(stopped).toContain("It was repeated every weekday, and stopped: somebody stopped it.");
  expect(stopped).not.toContain(copy.stop);
  expect(await screens.read("/admin/activity")).toContain("stopped the repeating of the wave");
  expect(getPlan(draft)).toMatchObject({ ended: "stopped", next_at: null });
});
