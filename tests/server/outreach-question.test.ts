import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { hours } from "~/lib/durations";
import { operatorMessages } from "~/content/operator-messages";
import { getConfirmFields } from "../question-fields";
import { formPost, logIn } from "../server-process";
import type { ServerProcess } from "../server-process";
import { valueOf } from "./form-html";
import { becomeAdmin } from "./operators";
import { sharedServer } from "./shared-server";
import { rowsOf, signUp, someone, stampOfAPerson } from "./visitors";

const copy = operatorMessages.outreach;

let server: ServerProcess;
let cookie: string;
let stamp: string;
beforeAll(async () => {
  server = await sharedServer();
  cookie = await logIn(server, undefined, someone());
  stamp = await stampOfAPerson(server);
  for (const email of ["ada@example.com", "bo@example.com", "cy@example.com"]) await arrive(email);
});

const arrive = (email: string) => signUp(server, { stamp, name: email, email }, someone());
const post = (fields: Record<string, string>) =>
  server.fetch("/admin/dashboard", formPost(fields, { Cookie: cookie }));
const whereTo = (answer: Response) =>
  new URL(answer.headers.get("Location") ?? "", server.origin).searchParams;
const textOf = async (search: URLSearchParams) => {
  const page = await server.fetch(`/admin/dashboard?${search}`, { headers: { Cookie: cookie } });
  return (await page.text()).replace(/<!--.*?-->/g, "");
};
const content = { audience: "early-access", testAddress: "", title: "We open", message: "Come in." };
const draftOf = async () => whereTo(await post({ ...content, intent: "send" }));
const ask = (draft: string) => getConfirmFields(server, { Cookie: cookie }, draft);
const sends = () => rowsOf(server, "select id from campaigns where state <> 'draft'");

describe("a draft that is open at two operators, without JavaScript", () => {
  it("is not saved over a colleague's text before that was read, and neither text is lost", async () => {
    const colleague = await becomeAdmin(server, cookie, "bo@example.com");
    const draft = (await draftOf()).get("draft") ?? "";
    const open = await textOf(new URLSearchParams({ draft }));
    const base = valueOf(open, "base");
    const theirs = { ...content, title: "We open on Monday", draft, base, intent: "save" };
    expect((await server.fetch("/admin/dashboard", formPost(theirs, { Cookie: colleague }))).status).toBe(
      303,
    );

    const mine = { ...content, title: "We open on Tuesday", draft, base };
    const refused = await post({ ...mine, intent: "send" });
    expect(refused.status).toBe(409);
    const page = await refused.text();
    expect(page).toContain(copy.conflict);
    expect(page).toContain("We open on Monday");
    expect(valueOf(page, "title")).toBe("We open on Tuesday");
    const titles = () => rowsOf(server, `select title from campaigns where id = '${draft}'`);
    expect(titles()).toEqual([{ title: "We open on Monday" }]);

    const again = { ...mine, theirs: valueOf(page, "theirs"), intent: "save-mine" };
    expect(whereTo(await post(again)).get("notice")).toBe("draft-saved");
    expect(titles()).toEqual([{ title: "We open on Tuesday" }]);
  });
});

describe("the question before a campaign, without JavaScript", () => {
  it("is answered at once though people signed up since, once however often it is sent (C30)", async () => {
    const where = await draftOf();
    const draft = where.get("draft") ?? "";
    expect(await textOf(where)).toContain("You are about to send an email to 3 recipients.");
    const answer = await ask(draft);
    for (const email of ["dee@example.com", "eve@example.com"]) await arrive(email);

    const before = sends().length;
    const twice = await Promise.all([post(answer), post(answer)]);
    // Back to the question, and sent again.
    const outcomes = [...twice, await post(answer)];
    expect(outcomes.map((outcome) => [outcome.status, whereTo(outcome).get("send")])).toEqual([
      [303, draft],
      [303, draft],
      [303, draft],
    ]);
    expect(sends()).toHaveLength(before + 1);
    await vi.waitUntil(
      () => rowsOf(server, "select state from campaigns where id = ?", draft)[0]?.state === "finished",
      { timeout: 20_000 },
    );
    expect(rowsOf(server, "select address from deliveries where campaign_id = ? order by id", draft)).toEqual(
      [{ address: "ada@example.com" }, { address: "bo@example.com" }, { address: "cy@example.com" }],
    );
    const hash = createHash("sha256").update(JSON.stringify(["early-access", "We open", "Come in."]));
    expect(rowsOf(server, "select content_hash from audit where subject = ?", draft)).toEqual([
      { content_hash: hash.digest("hex") },
    ]);
  });

  it("is asked again, with the new text, when a colleague changed the draft since (C30)", async () => {
    const draft = (await draftOf()).get("draft") ?? "";
    const answer = await ask(draft);
    await post({ ...content, draft, message: "A colleague's words.", intent: "autosave" });
    const outcome = await post(answer);
    expect(outcome.status).toBe(303);
    const where = whereTo(outcome);
    expect(Object.fromEntries(where)).toEqual({ draft, step: "confirm", notice: "content-changed" });
    const html = await textOf(where);
    expect(html).toContain(copy.contentChanged);
    const question = html.slice(html.indexOf(copy.confirmTitle));
    expect(question).toContain("A colleague&#x27;s words.");
    expect(rowsOf(server, "select state from campaigns where id = ?", draft)).toEqual([{ state: "draft" }]);
    expect(whereTo(await post(await ask(draft))).get("send")).toBe(draft);
  });

  it.each([
    ["no fields", {}],
    ["a position that is none", { through: "1e3" }],
    ["a negative count", { counted: "-1" }],
    ["a position beyond what a number holds", { through: "9".repeat(400) }],
  ])("is asked again when it comes back with %s (C30)", async (_, wrong) => {
    const draft = (await draftOf()).get("draft") ?? "";
    const fields = Object.keys(wrong).length > 0 ? { ...(await ask(draft)), ...wrong } : {};
    const where = whereTo(await post({ ...fields, draft, intent: "confirm" }));
    expect(where.get("notice")).toBe("content-changed");
    expect(rowsOf(server, "select state from campaigns where id = ?", draft)).toEqual([{ state: "draft" }]);
  });

  it("names the number the progress goes on with, its parts beside it (C30)", async () => {
    await server.fetch(
      "/admin/suppressions/add",
      formPost({ intent: "one", address: "ada@example.com", note: "Asked by phone" }, { Cookie: cookie }),
    );
    const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
    const where = await draftOf();
    const draft = where.get("draft") ?? "";
    expect(await textOf(where)).toContain("You are about to send an email to 4 recipients.");
    await post({ ...(await ask(draft)), beginAt, whenMissed: "send" });
    await vi.waitUntil(
      () => rowsOf(server, "select state from campaigns where id = ?", draft)[0]?.state === "sending",
      { timeout: 20_000 },
    );
    const progress = await textOf(new URLSearchParams({ send: draft }));
    expect(progress).toContain(operatorMessages.campaignStart.chosen(4));
    expect(progress).toContain("1 skipped (1 on the suppression list)");
  });
});
