import SqliteFile from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "~/services/ids.server";
import { createSubscription } from "../factories/push";
import { formPost, logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, databaseFile, logLines, rowsOf, someone } from "./visitors";

const NOT_LISTED = "not.push.example.com";
let server: ServerProcess;
let cookie: string;
beforeAll(async () => {
  // No message leaves this machine: the one allowed push service leads nowhere.
  server = await startServer({ ...BEHIND_A_PROXY, PUSH_ALLOWED_HOSTS: "push.frontdesk.test" });
  cookie = await logIn(server, undefined, someone());
});
afterAll(() => server.remove());

const change = (statement: string, ...values: unknown[]) => {
  const file = new SqliteFile(databaseFile(server), { timeout: 5000 });
  file.prepare(statement).run(...values);
  file.close();
};
const addDevice = (appType: string, tenant: string | null = null) => {
  const columns =
    "id, token_hash, token, uid, app_type, tenant_id, kind, endpoint, p256dh, auth, scope, public_key";
  change(
    `insert into devices (${columns}, created_at, first_seen_at, last_seen_at)
     values (?, ?, 't', 'u', ?, ?, 'webpush', 'https://push.frontdesk.test/x', '', '', '', 'other keys', 1, 1, 1)`,
    newId(),
    newId(),
    appType,
    tenant,
  );
};
beforeEach(() => {
  for (const table of ["broadcasts", "pushes", "devices", "tenants"]) change(`delete from ${table}`);
  addDevice("confer-landing");
  addDevice("confer-landing");
  addDevice("confer-app");
  addDevice("confer-app", "acme");
  change("insert into tenants values ('acme', 'Acme', 'acme.com', 1), ('b', 'Borg', '', 1)");
});

const page = async (path = "/admin/notifications") => {
  const answer = await server.fetch(path, { headers: { Cookie: cookie } });
  expect(answer.status).toBe(200);
  return answer.text();
};
const post = (fields: Record<string, string>, path = "/admin/notifications") =>
  server.fetch(path, formPost(fields, { Cookie: cookie, ...someone() }));
const formIn = (html: string) => /name="id" value="([^"]+)"/.exec(html)?.[1] ?? "";
const WRITTEN = {
  intent: "send",
  audience: "all",
  tenant: "",
  title: "The beta opens",
  body: "Come in.",
  link: "",
};
const whereTo = (answer: Response) => {
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("Location") ?? "", server.origin);
};
const broadcasts = () => rowsOf(server, "select * from broadcasts order by id");
const devicesIn = (html: string) => /name="devices" value="(\d+)"/.exec(html)?.[1] ?? "";

/** Everything up to the last click. */
async function asked(different: Record<string, string> = {}) {
  const id = newId();
  const question = whereTo(await post({ ...WRITTEN, id, ...different }));
  expect(question.search).toBe(`?draft=${id}&step=confirm`);
  return { id, html: await page(question.pathname + question.search) };
}
async function sent(different: Record<string, string> = {}) {
  const { id, html } = await asked(different);
  const answer = await post({ intent: "confirm", id, devices: devicesIn(html) });
  expect(whereTo(answer).search).toBe(`?sent=${id}`);
  await vi.waitUntil(
    () => rowsOf(server, "select state from broadcasts where id = ?", id)[0]?.state === "finished",
    { timeout: 20_000 },
  );
  return id;
}

describe("the form", () => {
  it("offers what the specification says, with the size of each audience", async () => {
    const html = await page();
    for (const text of [
      "All Users (both apps)",
      "Select Company (Optional)",
      "All Companies",
      "Notification Title",
      "Message",
      "Send Notification",
      "4 devices receive notifications.",
      "Nothing was sent yet",
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/<option value="acme">Acme \(acme\.com\)<\/option>/);
    expect(html).toMatch(/<option value="b">Borg<\/option>/);
    expect(html).toContain("187 of 4,096 bytes");
    expect(html).toContain("Testing on your own device needs JavaScript.");
  });

  it.each<[string, Record<string, string>, string]>([
    ["a title", { title: " " }, "Please enter the title."],
    ["a message", { body: "" }, "Please enter the message."],
    ["an audience at all", { audience: "" }, "Please choose one of the audiences."],
    ["an audience there is", { audience: "everybody" }, "Please choose one of the audiences."],
    ["a link into this site", { link: "https://evil.example/" }, "Please enter a page of this site"],
    ["no link that leads out by a trick", { link: "/\\evil.example" }, "Please enter a page of this site"],
    ["a company there is", { audience: "application", tenant: "x" }, "This company is no longer in the list"],
    [
      "no more bytes than a push service takes",
      { body: "世".repeat(1400) },
      "bytes too long for a push service",
    ],
  ])("asks for %s, and keeps what was typed", async (_, different, sentence) => {
    const answer = await post({ ...WRITTEN, id: newId(), ...different });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain(sentence);
    if (!("title" in different)) expect(html).toContain('value="The beta opens"');
    expect(broadcasts()).toEqual([]);
  });

  it("shows hostile text literally (C14)", async () => {
    const { html } = await asked({ title: "<script>alert(1)</script>", body: "</textarea><b>x" });
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("</textarea><b>");
  });

  it("says so when nobody is registered", async () => {
    change("delete from devices");
    const answer = await post({ ...WRITTEN, id: newId() });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(
      "Failed to send broadcast notification: no device of this audience is registered",
    );
    expect(await page()).toContain("No devices yet.");
  });

  it("works without the companies when they cannot be read, which is logged alone", async () => {
    change("alter table tenants rename to hidden");
    try {
      expect(await page()).toContain("The companies could not be loaded");
      expect(logLines(server).filter(({ msg }) => msg === "Failed to fetch tenants")).toHaveLength(1);
      expect(
        await (await post({ ...WRITTEN, id: newId(), audience: "application", tenant: "acme" })).text(),
      ).toContain("Failed to send broadcast notification: the companies could not be read");
      expect((await asked()).html).toContain("It goes to 4 devices");
    } finally {
      change("alter table hidden rename to tenants");
    }
  });

  it("says the specification's words when nothing could be stored, and keeps what was typed (R6)", async () => {
    change("alter table broadcasts rename to hidden");
    try {
      const answer = await post({ ...WRITTEN, id: newId() });
      // The page around it needs the same table.
      expect([500, 503]).toContain(answer.status);
    } finally {
      change("alter table hidden rename to broadcasts");
    }
    expect(logLines(server).filter(({ msg }) => msg === "a notification could not be stored")).toHaveLength(
      1,
    );
  });
});

describe("a notification goes where section 7 says", () => {
  it.each<[string, Record<string, string>, number, object]>([
    ["all", {}, 4, { audience: "all", tenant_id: null }],
    ["the landing page", { audience: "landing" }, 2, { audience: "landing", tenant_id: null }],
    ["the application", { audience: "application" }, 2, { audience: "application", tenant_id: null }],
    [
      "a company",
      { audience: "application", tenant: "acme" },
      1,
      { audience: "application", tenant_id: "acme", tenant_name: "Acme" },
    ],
    ["all, whatever company comes along", { tenant: "acme" }, 4, { audience: "all", tenant_id: null }],
  ])("to %s", async (_, different, devices, row) => {
    const { html } = await asked(different);
    expect(html).toContain(`It goes to ${devices} device`);
    expect(broadcasts()).toMatchObject([{ ...row, state: "draft" }]);
  });
});

describe("a notification", () => {
  it("is sent once, however often its form and its question are submitted (C30)", async () => {
    const { id, html } = await asked();
    const confirm = { intent: "confirm", id, devices: devicesIn(html) };
    const answers = await Promise.all([post(confirm), post(confirm), post(confirm)]);
    expect(answers.map((answer) => whereTo(answer).search)).toEqual(Array(3).fill(`?sent=${id}`));
    const again = whereTo(await post({ ...WRITTEN, id, title: "Another title" }));
    expect(again.search).toBe(`?sent=${id}&notice=broadcast-sent-before`);
    expect(await page(again.pathname + again.search)).toContain("It was not sent again.");
    expect(rowsOf(server, "select action from audit where subject = ?", id)).toEqual([
      { action: "confirm-broadcast" },
    ]);
    expect(rowsOf(server, "select id from pushes")).toHaveLength(4);
    expect(broadcasts()).toMatchObject([{ title: "The beta opens" }]);
  });

  it("is not sent to another number of devices than was shown", async () => {
    const { id, html } = await asked();
    addDevice("confer-landing");
    const answer = whereTo(await post({ intent: "confirm", id, devices: devicesIn(html) }));
    expect(answer.search).toBe(`?draft=${id}&step=confirm&notice=devices-changed`);
    const shown = await page(answer.pathname + answer.search);
    expect(shown).toContain("It goes to 5 devices");
    expect(broadcasts()).toMatchObject([{ state: "draft" }]);
  });

  it("that is finished cannot be paused or cancelled, and the page says so", async () => {
    const id = await sent();
    for (const intent of ["pause", "resume", "accept-refusals", "ask-platform-again", "cancel"]) {
      const { pathname, search } = whereTo(await post({ intent }, `/admin/notifications/${id}`));
      expect(search, intent).toBe("?notice=notification-unchanged");
      expect(await page(pathname + search)).toContain("The status of this notification has changed");
    }
    const gone = whereTo(await post({ intent: "pause" }, `/admin/notifications/${newId()}`));
    expect(gone.pathname + gone.search).toBe("/admin/notifications?notice=unknown-broadcast");
  });

  it("says how it went, on the page, in the history and in its copy", async () => {
    const id = await sent();
    const told = "Sent to no device (4 failed)";
    expect(await page(`/admin/notifications?sent=${id}`)).toContain(told);
    const html = await page(`/admin/notifications/${id}`);
    expect(html).toContain(told);
    expect(html).toContain("Registered with other VAPID keys than ours");
    expect(await page()).toContain(`href="/admin/notifications/${id}"`);
    expect(await page("/admin/search?q=beta+opens")).toContain(`href="/admin/notifications/${id}"`);
    expect(await page("/admin/activity")).toMatch(/confirmed the push notification/);
    const copy = await post({}, `/admin/notifications/${id}/export?state=failed`);
    expect(copy.headers.get("Content-Disposition")).toBe('attachment; filename="devices-failed.csv"');
    const lines = (await copy.text()).split("\r\n").filter(Boolean);
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(
      /^"[0-9a-f-]{36}","push\.frontdesk\.test","Failed","Registered with other VAPID keys/,
    );
    expect(whereTo(await post({ intent: "retry-failed" }, `/admin/notifications/${id}`)).pathname).toBe(
      `/admin/notifications/${id}`,
    );
    expect(rowsOf(server, "select action from audit where subject = ? order by id", id)).toEqual(
      ["confirm-broadcast", "export-devices", "retry-broadcast"].map((action) => ({ action })),
    );
  });

  it("that does not exist, or is still being written, has no page and no copy", async () => {
    const { id } = await asked();
    for (const unknown of [id, "x", newId()]) {
      const answer = await server.fetch(`/admin/notifications/${unknown}`, { headers: { Cookie: cookie } });
      expect(whereTo(answer).pathname).toBe("/admin/notifications");
      expect(whereTo(await post({}, `/admin/notifications/${unknown}/export`)).pathname).toBe(
        "/admin/notifications",
      );
    }
    expect(whereTo(await post({ intent: "confirm", id: newId(), devices: "4" })).search).toContain(
      "notice=unknown-broadcast",
    );
    expect(whereTo(await post({ ...WRITTEN, id: "x" })).search).toBe("?notice=unknown-broadcast");
  });
});

describe("a test on one's own device", () => {
  const test = (token: string) => post({ ...WRITTEN, intent: "test", id: newId(), token });

  it("goes to no address but a push service's (C22)", async () => {
    for (const token of ["", "x", createSubscription(`https://${NOT_LISTED}/x`).token]) {
      const answer = await test(token);
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain("is not allowed (PUSH_ALLOWED_HOSTS)");
    }
  });

  it("says the reason when it could not be sent, and is written down", async () => {
    const answer = await test(createSubscription("https://push.frontdesk.test/x").token);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain("The test was not sent.");
    expect(rowsOf(server, "select action, outcome from audit order by id desc limit 1")).toEqual([
      { action: "send-test-push", outcome: "failed" },
    ]);
  });
});

it("says that a test on one's own device needs JavaScript, where there is none", async () => {
  const html = await page();
  expect(html).toMatch(/<noscript><p[^>]*>Testing on your own device needs JavaScript\.<\/p><\/noscript>/);
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>(?:<svg.*?<\/svg>)?Test on my own device</s);
});

it("each page has a form of its own", async () => {
  expect(formIn(await page())).not.toBe(formIn(await page()));
});

it("when the day has had as many as it may, one more is 429, says so and sends nothing (C30)", async () => {
  await server.restart({ BROADCASTS_PER_DAY: "1" });
  await sent();
  const { id, html } = await asked();
  const answer = await post({ intent: "confirm", id, devices: devicesIn(html) });
  expect([answer.status, Number(answer.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect(await answer.text()).toContain("the daily limit is reached");
  expect(broadcasts().filter(({ state }) => state !== "draft")).toHaveLength(1);
});
