import { expect, it } from "vitest";
import { unescapeHtml } from "./form-html";
import { useServer, useSuperadmin } from "./use-server";
import { readRows, signUp, submit } from "./visitors";

const TABLE = "/admin/submissions/contact-form";
const OPEN = `${TABLE}?status=open`;

const server = useServer();
const superadmin = useSuperadmin(server);

const findId = (email: string) =>
  String(readRows(server, "select id from submissions where email = ?", email)[0]?.id);
/** Sends an inquiry; resolves with its id. */
async function sendInquiry(email: string, message = "Is it open?"): Promise<string> {
  expect((await submit(server, "/contact", { email, message })).status).toBe(303);
  return findId(email);
}
const getNotice = async (path: string, form: Record<string, string> | URLSearchParams) => {
  const answer = await superadmin.post(path, form);
  expect(answer.status).toBe(303);
  return answer.headers.get("Location");
};
const getMark = (id: string) =>
  readRows(server, "select answered_by, answered_at from submissions where id = ?", id)[0];

it("an inquiry is marked as answered once, shown with who and when, and opened again", async () => {
  const id = await sendInquiry("ada@example.com");
  expect(await superadmin.read(OPEN)).toContain("ada@example.com");
  const asked = { answer: id, status: "open" };
  expect(await getNotice(TABLE, asked)).toBe(`${OPEN}&notice=inquiries-answered`);
  const mark = getMark(id);
  expect(mark?.answered_by).toBe("superadmin@example.com");
  expect(await getNotice(TABLE, asked)).toBe(`${OPEN}&notice=inquiries-unchanged`);
  expect(getMark(id)).toEqual(mark);

  expect(await superadmin.read(OPEN)).toContain("No open inquiries");
  expect(await superadmin.read(`${TABLE}?status=answered`)).toMatch(
    />Answered<.*by <bdi>superadmin@example.com</s,
  );
  const csv = await (await superadmin.post(`${TABLE}/export?status=answered`)).text();
  expect(csv).toMatch(/"Answered","superadmin@example.com","\d{4}-\d\d-\d\dT[^"]+Z","unknown"\r\n$/);

  const page = `/admin/people/${id}`;
  expect(await getNotice(page, { reopen: id })).toBe(`${page}?notice=inquiries-opened`);
  expect(getMark(id)).toEqual({ answered_by: null, answered_at: null });
  const audit = "select subject from audit where action in ('answer-inquiries', 'reopen-inquiries')";
  expect(readRows(server, audit)).toEqual([{ subject: "1 inquiry" }, { subject: "1 inquiry" }]);
});

it("a selection of inquiries is marked together", async () => {
  const ids = [await sendInquiry("bo@example.com"), await sendInquiry("cy@example.com")];
  const selection = (intent: string) =>
    new URLSearchParams([["intent", intent], ...ids.map((id) => ["id", id])]);
  expect(await getNotice(TABLE, selection("answer"))).toBe(`${TABLE}?notice=inquiries-answered`);
  expect(ids.map((id) => getMark(id)?.answered_by)).toEqual(Array(2).fill("superadmin@example.com"));
  expect(await getNotice(TABLE, selection("reopen"))).toBe(`${TABLE}?notice=inquiries-opened`);
  expect(await getNotice(TABLE, { intent: "answer" })).toBe(`${TABLE}?notice=no-inquiry-selected`);
});

it("the button of a row leaves the selection as it is", async () => {
  const [row = "", ...selected] = [
    await sendInquiry("el@example.com"),
    await sendInquiry("flo@example.com"),
    await sendInquiry("gus@example.com"),
  ];
  const press = (button: "answer" | "reopen") =>
    getNotice(TABLE, new URLSearchParams([[button, row], ["id", "x"], ...selected.map((id) => ["id", id])]));
  const kept = `${TABLE}?${selected.map((id) => `id=${id}`).join("&")}`;
  expect(await press("answer")).toBe(`${kept}&notice=inquiries-answered`);
  expect([row, ...selected].map((id) => getMark(id)?.answered_by)).toEqual([
    "superadmin@example.com",
    null,
    null,
  ]);
  expect(await press("reopen")).toBe(`${kept}&notice=inquiries-opened`);
  const html = await superadmin.read(`${kept}&notice=inquiries-opened`);
  const boxes = html.match(/<input type="checkbox"[^>]*>/g) ?? [];
  const isSelected = (id: string) => boxes.some((box) => box.includes(id) && box.includes(`checked=""`));
  expect([row, ...selected].map(isSelected)).toEqual([false, true, true]);
});

it("what is no inquiry has no such state", async () => {
  await signUp(server, { email: "dora@example.com" });
  const id = findId("dora@example.com");
  const table = "/admin/submissions/early-access";
  expect(await getNotice(table, { answer: id })).toBe(`${table}?notice=inquiries-unchanged`);
  expect((await superadmin.get(`${table}?status=open`)).status).toBe(422);
  expect(await superadmin.read(`/admin/people/${id}`)).not.toContain("Mark as answered");
});

it("the dashboard says when the last submission came, also an inquiry", async () => {
  await sendInquiry("last@example.com");
  expect(await superadmin.read("/admin/dashboard")).toMatch(/Last submission <time/);
});

it("the menu counts the open inquiries", async () => {
  const open = readRows(
    server,
    "select count(*) as n from submissions where answered_at is null and message <> ''",
  );
  expect(await superadmin.read("/admin/activity")).toMatch(
    new RegExp(`>Inquiries</span><[^>]*>${open[0]?.n}<span class="sr-only"> waiting<`),
  );
});

// C14
it("the reply quotes what was typed, and nothing of it becomes a part of the link", async () => {
  const id = await sendInquiry("eve+x@example.com", 'Hi&bcc=a@b.c\n"> <script>alert(1)</script> 100 %');
  for (const path of [OPEN, `/admin/people/${id}`]) {
    const html = await superadmin.read(path);
    const link = unescapeHtml(/href="(mailto:eve[^"]*)"/.exec(html)?.[1] ?? "");
    expect(link).toMatch(/^mailto:eve%2Bx@example\.com\?subject=Re%3A%20Your[^&]*&body=[^&]*$/);
    const body = decodeURIComponent(link.split("&body=")[1] ?? "");
    expect(body).toContain('you wrote:\r\n> Hi&bcc=a@b.c\r\n> "> <script>alert(1)</script> 100 %');
  }
});
