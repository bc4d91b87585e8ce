import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { hours } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { createSubscription } from "../factories/push";
import { waitUntil } from "../wait-until";
import { storeDevice } from "./stored-devices";
import { execute, logLines, readRows, withoutTable } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

// No message leaves this machine: the one allowed push service leads nowhere.
const server = useServer({ PUSH_ALLOWED_HOSTS: "push.frontdesk.test" });
const superadmin = useSuperadmin(server);

beforeEach(() => {
  execute(
    server,
    `delete from broadcasts; delete from pushes; delete from devices; delete from tenants;
     insert into tenants values ('acme', 'Acme', 'acme.com', 1), ('b', 'Borg', '', 1)`,
  );
  storeDevice(server, "confer-landing");
  storeDevice(server, "confer-landing");
  storeDevice(server, "confer-app");
  storeDevice(server, "confer-app", "acme");
});

const getPage = (path = "/admin/notifications") => superadmin.read(path);
const post = (fields: Record<string, string>, path = "/admin/notifications") => superadmin.post(path, fields);
const WRITTEN = {
  intent: "send",
  audience: "all",
  tenant: "",
  title: "The beta opens",
  body: "Come in.",
  link: "",
};
const submit = (different: Record<string, string>) => post({ ...WRITTEN, id: newId(), ...different });
const getRedirect = (response: Response) => {
  expect(response.status).toBe(303);
  return new URL(response.headers.get("Location") ?? "", server.origin);
};
const listBroadcasts = () => readRows(server, "select * from broadcasts order by id");

/** Submits the form. @returns the confirmation page, and what its form sends. */
async function openConfirmation(different: Record<string, string> = {}) {
  const id = newId();
  const { pathname, search } = getRedirect(await submit({ id, ...different }));
  expect(search).toBe(`?draft=${id}&step=confirm`);
  const html = await getPage(pathname + search);
  const devices = /name="devices" value="(\d+)"/.exec(html)?.[1] ?? "";
  const content = /name="content" value="([^"]+)"/.exec(html)?.[1] ?? "";
  return { id, html, confirmation: { intent: "confirm", id, devices, content } };
}
async function sendNotification() {
  const { id, confirmation } = await openConfirmation();
  expect(getRedirect(await post(confirmation)).search).toBe(`?sent=${id}`);
  const isFinished = () => listBroadcasts().some((row) => row.id === id && row.state === "finished");
  await waitUntil(isFinished);
  return id;
}

describe("the form", () => {
  it("stores nothing for an unknown intent", async () => {
    const before = listBroadcasts();
    expect(getRedirect(await submit({ intent: "no-such-action" })).pathname).toBe("/admin/notifications");
    expect(listBroadcasts()).toEqual(before);
  });

  it("offers what the specification says, with the size of each audience", async () => {
    const html = await getPage();
    for (const text of [
      "All Users (both apps)",
      "Select Company (Optional)",
      "All Companies",
      "Notification Title",
      "Message",
      "Send Notification",
      "4 devices receive notifications.",
      "No notifications yet",
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/<option value="acme">Acme \(acme\.com\)<\/option>/);
    expect(html).toMatch(/<option value="b">Borg<\/option>/);
    expect(html).toContain("187 of 4,096 bytes");
  });

  it.each<[string, Record<string, string>, string]>([
    ["a title", { title: " " }, "Please enter the title."],
    ["a message", { body: "" }, "Please enter the message."],
    ["an audience at all", { audience: "" }, "Please choose one of the audiences."],
    ["an audience there is", { audience: "everybody" }, "Please choose one of the audiences."],
    ["a link into this site", { link: "https://evil.example/" }, "Please enter a page of this site"],
    [
      "a link that leaves this site by no trick",
      { link: "/\\evil.example" },
      "Please enter a page of this site",
    ],
    ["a company there is", { audience: "application", tenant: "x" }, "This company is no longer in the list"],
    [
      "no more bytes than a push service takes",
      { body: "世".repeat(1400) },
      "bytes too long for a push service",
    ],
  ])("asks for %s, and keeps what was typed", async (_, different, sentence) => {
    const html = await readText(submit(different), 422);
    expect(html).toContain(sentence);
    if (!("title" in different)) expect(html).toContain('value="The beta opens"');
    expect(listBroadcasts()).toEqual([]);
  });

  // C14
  it("shows hostile text literally", async () => {
    const { html } = await openConfirmation({ title: "<script>alert(1)</script>", body: "</textarea><b>x" });
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("</textarea><b>");
  });

  it("says so when nobody is registered", async () => {
    execute(server, "delete from devices");
    expect(await readText(submit({}), 422)).toContain(
      "Failed to send broadcast notification: no device of this audience is registered",
    );
    expect(await getPage()).toContain("No devices yet.");
  });

  it("works without the companies when they cannot be read, which is logged alone", async () => {
    await withoutTable(server, "tenants", async () => {
      expect(await getPage()).toContain("The companies could not be loaded");
      expect(logLines(server).filter(({ msg }) => msg === "Failed to fetch tenants")).toHaveLength(1);
      const refused = await submit({ audience: "application", tenant: "acme" });
      const html = await refused.text();
      expect(html).toContain("Failed to send broadcast notification: the companies could not be read");
      expect(html).toContain('<option value="acme" selected="">The chosen company</option>');
      expect((await openConfirmation()).html).toContain("It goes to 4 devices");
    });
  });

  // R6
  it("fails, logs it and keeps what was typed when nothing can be stored", async () => {
    execute(
      server,
      "create trigger full before insert on broadcasts begin select raise(abort, 'no room'); end",
    );
    onTestFinished(() => execute(server, "drop trigger full"));
    const html = await readText(submit({}), 503);
    expect(html).toContain("Failed to send notification");
    expect(html).toContain('value="The beta opens"');
    expect(html).toContain("Come in.");
    const logged = logLines(server).filter(({ msg }) => msg === "a notification could not be stored");
    expect(logged).toHaveLength(1);
  });
});

describe("a notification", () => {
  // C30
  it("is sent once, however often its form and its question are submitted", async () => {
    const { id, confirmation } = await openConfirmation();
    const answers = await Promise.all([post(confirmation), post(confirmation), post(confirmation)]);
    expect(answers.map((answer) => getRedirect(answer).search)).toEqual(Array(3).fill(`?sent=${id}`));
    const again = getRedirect(await submit({ id, title: "Another title" }));
    expect(again.search).toBe(`?sent=${id}&notice=broadcast-sent-before`);
    expect(await getPage(again.pathname + again.search)).toContain("It was not sent again.");
    expect(readRows(server, "select action from audit where subject = ?", id)).toEqual([
      { action: "confirm-broadcast" },
    ]);
    expect(readRows(server, "select id from pushes")).toHaveLength(4);
    expect(listBroadcasts()).toMatchObject([{ title: "The beta opens" }]);
  });

  it("is behind its question, where no key reaches it", async () => {
    const { html } = await openConfirmation();
    const [behind = "", question] = html.split("<dialog");
    expect(behind).toMatch(/<div inert="">.*name="title"/s);
    expect(question).toContain("Send this notification?");
    expect(await getPage()).not.toContain("inert");
  });

  it("is not sent to another number of devices than was shown", async () => {
    const { id, confirmation } = await openConfirmation();
    storeDevice(server, "confer-landing");
    const { pathname, search } = getRedirect(await post(confirmation));
    expect(search).toBe(`?draft=${id}&step=confirm&notice=devices-changed`);
    const [, question] = (await getPage(pathname + search)).split("<dialog");
    expect(question).toContain("The audience has changed in the meantime.");
    expect(question).toContain("It goes to 5 devices");
    expect(listBroadcasts()).toMatchObject([{ state: "draft" }]);
  });

  // C30
  it.each<[string, Record<string, string>, string]>([
    ["text", { body: "Come in, all of you." }, "Come in, all of you."],
    ["link", { link: "/early-access" }, "Opens /early-access"],
    ["audience", { audience: "application" }, "Application users"],
    ["company", { audience: "application", tenant: "acme" }, "Acme"],
  ])("is asked about again when its %s was changed in another tab", async (_, different, shown) => {
    const { id, confirmation } = await openConfirmation();
    await submit({ id, ...different });
    // Also where the changed audience has as many devices as were counted.
    const devices = /name="devices" value="(\d+)"/.exec(
      await getPage(`/admin/notifications?draft=${id}&step=confirm`),
    )?.[1];
    const { pathname, search } = getRedirect(await post({ ...confirmation, devices: devices ?? "" }));
    expect(search).toBe(`?draft=${id}&step=confirm&notice=broadcast-changed`);
    const [, question = ""] = (await getPage(pathname + search)).split("<dialog");
    expect(question).toContain("This notification was changed in the meantime, so nothing was sent.");
    expect(question).toContain(shown);
    expect(listBroadcasts()).toMatchObject([{ state: "draft" }]);
  });

  it("that is finished cannot be paused or cancelled, and the page says so", async () => {
    const id = await sendNotification();
    for (const intent of ["pause", "resume", "accept-refusals", "ask-platform-again", "cancel"]) {
      const { pathname, search } = getRedirect(await post({ intent }, `/admin/notifications/${id}`));
      expect(search, intent).toBe("?notice=notification-unchanged");
      expect(await getPage(pathname + search)).toContain("The status of this notification has changed");
    }
    expect(await getPage(`/admin/notifications/${id}?step=cancel`)).not.toContain(
      "Cancel this notification?",
    );
    const gone = getRedirect(await post({ intent: "pause" }, `/admin/notifications/${newId()}`));
    expect(gone.pathname + gone.search).toBe("/admin/notifications?notice=unknown-broadcast");
  });

  it("that is being sent is asked about before it is cancelled, without a refresh that would close the question", async () => {
    const id = await sendNotification();
    execute(
      server,
      `update pushes set state = 'retrying', not_before = ${Date.now() + hours(1)};
       update broadcasts set state = 'sending'`,
    );
    const refresh = /<meta http-equiv="refresh"/i;
    expect(await getPage(`/admin/notifications/${id}`)).toMatch(refresh);
    const waiting = `/admin/notifications/${id}?state=waiting`;
    expect(await getPage(waiting)).toContain(`href="${waiting}&amp;step=cancel"`);
    const html = await getPage(`${waiting}&step=cancel`);
    const [, question] = html.split("<dialog");
    expect(question).toContain("Cancel this notification?");
    expect(question).toContain(`href="${waiting}"`);
    expect(html).not.toMatch(refresh);
  });

  it("that was cancelled refreshes its page until the rest is skipped", async () => {
    const id = await sendNotification();
    const refresh = /<meta http-equiv="refresh"/i;
    execute(server, "update broadcasts set state = 'cancelled' where id = ?", id);
    expect(await getPage(`/admin/notifications/${id}`)).not.toMatch(refresh);
    // As in flight in another instance.
    const claim = "update pushes set state = 'claimed', lease_owner = 'another/1', lease_until = ?";
    execute(server, `${claim} where broadcast_id = ?`, Number.MAX_SAFE_INTEGER, id);
    expect(await getPage(`/admin/notifications/${id}`)).toMatch(refresh);
    execute(server, "update pushes set state = 'sent' where broadcast_id = ?", id);
  });

  it("that is being sent refreshes its own page without JavaScript, and not the one with the next one's form", async () => {
    const id = await sendNotification();
    execute(
      server,
      `update pushes set state = 'retrying', not_before = ${Date.now() + hours(1)};
       update broadcasts set state = 'sending'`,
    );
    const refresh = /<meta http-equiv="refresh"/i;
    expect(await getPage(`/admin/notifications/${id}`)).toMatch(refresh);
    const html = await getPage(`/admin/notifications?sent=${id}`);
    expect(html).toContain(`href="/admin/notifications/${id}"`);
    expect(html).not.toMatch(refresh);
  });

  it("that is being sent keeps the filter and the page of its devices when it refreshes itself", async () => {
    const id = await sendNotification();
    execute(
      server,
      `update pushes set state = 'retrying', not_before = ${Date.now() + hours(1)};
       update broadcasts set state = 'sending'`,
    );
    const [first] = readRows(server, "select min(device_id) as id from pushes");
    const page = `/admin/notifications/${id}?state=waiting&after=${String(first?.id)}`;
    expect(await getPage(page)).toContain(`content="2;url=${page.replace("&", "&amp;")}"`);
  });

  it("says how it went, on the page, in the history and in its copy", async () => {
    const id = await sendNotification();
    const result = "Sent to no device (4 failed)";
    expect(await getPage(`/admin/notifications?sent=${id}`)).toContain(result);
    const html = await getPage(`/admin/notifications/${id}`);
    expect(html).toContain(result);
    expect(html).toContain("Registered with other VAPID keys than ours");
    const list = await getPage();
    expect(list).toContain(`href="/admin/notifications/${id}"`);
    // Who saved the draft; a colleague may have sent it.
    expect(list).toContain(">Written by<");
    expect(await getPage("/admin/search?q=beta+opens")).toContain(`href="/admin/notifications/${id}"`);
    expect(await getPage("/admin/activity")).toMatch(/confirmed the push notification/);
    const copy = await post({}, `/admin/notifications/${id}/export?state=failed`);
    expect(copy.headers.get("Content-Disposition")).toBe('attachment; filename="devices-failed.csv"');
    const lines = (await copy.text()).split("\r\n").filter(Boolean);
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(
      /^"[0-9a-f-]{36}","push\.frontdesk\.test","Failed","Registered with other VAPID keys/,
    );
    expect(getRedirect(await post({ intent: "retry-failed" }, `/admin/notifications/${id}`)).pathname).toBe(
      `/admin/notifications/${id}`,
    );
    expect(readRows(server, "select action from audit where subject = ? order by id", id)).toEqual(
      ["confirm-broadcast", "export-devices", "retry-broadcast"].map((action) => ({ action })),
    );
  });

  it("is asked about when the last one was within a month", async () => {
    await sendNotification();
    const promise = "The last one was just now; visitors were promised at most once a month.";
    expect((await openConfirmation()).html).toContain(promise);
    expect((await openConfirmation({ audience: "application" })).html).not.toContain(promise);
  });

  it("that does not exist or is a draft has no page and no export", async () => {
    const { id } = await openConfirmation();
    for (const unknown of [id, "x", newId()]) {
      expect(getRedirect(await superadmin.get(`/admin/notifications/${unknown}`)).pathname).toBe(
        "/admin/notifications",
      );
      expect(getRedirect(await post({}, `/admin/notifications/${unknown}/export`)).pathname).toBe(
        "/admin/notifications",
      );
    }
    expect(getRedirect(await post({ intent: "confirm", id: newId(), devices: "4" })).search).toContain(
      "notice=unknown-broadcast",
    );
    expect(getRedirect(await submit({ id: "x" })).search).toBe("?notice=unknown-broadcast");
  });
});

describe("a test on one's own device", () => {
  const test = (token: string) => submit({ intent: "test", token });

  // C22
  it("is refused for an address that is no push service's", async () => {
    for (const token of ["", "x", createSubscription("https://not.push.example.com/x").token]) {
      expect(await readText(test(token), 422)).toContain("is not allowed (PUSH_ALLOWED_HOSTS)");
    }
  });

  it("shows the reason when it could not be sent, and is recorded", async () => {
    const answer = test(createSubscription("https://push.frontdesk.test/x").token);
    expect(await readText(answer, 502)).toContain("The test was not sent.");
    expect(readRows(server, "select action, outcome from audit order by id desc limit 1")).toEqual([
      { action: "send-test-push", outcome: "failed" },
    ]);
  });
});

it("disables the test on one's own device without JavaScript", async () => {
  const html = await getPage();
  expect(html).toMatch(/<noscript><p[^>]*>Testing on your own device needs JavaScript\.<\/p><\/noscript>/);
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>(?:<svg.*?<\/svg>)?Test on my own device</s);
  const getId = (page: string) => /name="id" value="([^"]+)"/.exec(page)?.[1];
  expect(getId(html)).not.toBe(getId(await getPage()));
});

// C30
it("refuses a notification over the daily limit with 429 and sends nothing", async () => {
  await server.restart({ BROADCASTS_PER_DAY: "1" });
  await sendNotification();
  const { id, confirmation } = await openConfirmation();
  const answer = await post(confirmation, `/admin/notifications?draft=${id}&step=confirm`);
  expect([answer.status, Number(answer.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  const html = await answer.text();
  expect(html.slice(html.indexOf("<dialog"))).toContain("the daily limit is reached");
  expect(html).toContain('value="The beta opens"');
  expect(listBroadcasts().filter(({ state }) => state !== "draft")).toHaveLength(1);
});
