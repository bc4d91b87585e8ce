import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { minutes, seconds } from "~/lib/durations";
import { SmtpMailer, type SmtpMailerOptions } from "~/services/mail/drivers/smtp-mailer.server";
import type { MailOutcome } from "~/services/mail/mailer";
import { useCleanups } from "../cleanups";
import { mail } from "../factories/mail";
import { describeMailer } from "../factories/mailer-battery";
import { createManualTimers } from "../factories/time";
import type { Answer, SmtpServerOptions } from "../fakes/smtp-server";
import { findRefusedPort, startBlackHole, startSmtpServer } from "../fakes/smtp-server";

const later = useCleanups();

async function smtpRig(
  options: SmtpServerOptions = {},
  { url, timeouts }: { url?: (url: string) => string; timeouts?: SmtpMailerOptions["timeouts"] } = {},
) {
  const server = await startSmtpServer(options);
  later(() => server.close());
  const mailer = new SmtpMailer({
    url: url?.(server.url) ?? server.url,
    concurrency: 3,
    timeouts: {
      connect: 3_000,
      greeting: 3_000,
      answer: 1_000,
      whole: 10_000,
      completion: 1_000,
      ...timeouts,
    },
  });
  later(() => mailer.close());
  return {
    server,
    mailer,
    arrived: async () => server.mails.map(({ raw, to }) => ({ raw: raw.toString(), recipients: to })),
  };
}

describeMailer("SmtpMailer (C18, C19)", smtpRig);
describeMailer("SmtpMailer without pipelining (C18, C19)", () => smtpRig({ pipelining: false }));

describe.each([{ pipelining: true }, { pipelining: false }])("SmtpMailer with %o", ({ pipelining }) => {
  const answering = (answer: Answer) => smtpRig({ pipelining, answer: () => answer });
  const RCPT = "at RCPT TO";

  it.each<[string, Answer, object]>([
    ["250", "ok", { kind: "accepted", detail: expect.stringMatching(/^250 /) }],
    [`450 ${RCPT}`, { code: 450, text: "Busy" }, { kind: "deferred", code: 450, detail: "450 Busy" }],
    [
      `451 ${RCPT}`,
      { code: 451, text: "Greylisted" },
      { kind: "deferred", code: 451, detail: "451 Greylisted" },
    ],
    [`452 ${RCPT}`, { code: 452 }, { kind: "deferred", code: 452 }],
    ["451 after DATA", { code: 451, at: "data" }, { kind: "deferred", code: 451 }],
    [
      `550 ${RCPT}`,
      { code: 550, text: "No such user" },
      { kind: "refused", code: 550, detail: "550 No such user" },
    ],
    ["552 after DATA", { code: 552, at: "data" }, { kind: "refused", code: 552 }],
    ["554 after DATA", { code: 554, at: "data" }, { kind: "refused", code: 554 }],
    [`530 ${RCPT}`, { code: 530 }, { kind: "unauthorized" }],
    [`421 ${RCPT}`, "421", { kind: "unreachable", detail: "421 Too many mails, closing" }],
    ["421 after DATA", { code: 421, at: "data" }, { kind: "unreachable" }],
    ["a connection cut at DATA", "drop-in-data", { kind: "unreachable" }],
    ["a connection cut after the final dot", "drop-after-data", { kind: "unknown" }],
    ["silence after the final dot", { slow: 60_000 }, { kind: "unknown" }],
  ])("sorts %s", async (_what, answer, expected) => {
    const { mailer } = await answering(answer);
    expect(await mailer.send(mail())).toMatchObject(expected);
  });

  it.each<[string, Answer]>([
    ["421", "421"],
    ["451", { code: 451 }],
    ["550", { code: 550 }],
    ["552 after DATA", { code: 552, at: "data" }],
    ["a cut at DATA", "drop-in-data"],
    ["a cut after the dot", "drop-after-data"],
  ])("asks once for the address that gets %s, and the next mail goes out", async (_what, answer) => {
    const { mailer, server } = await smtpRig({
      pipelining,
      answer: (address) => (address.startsWith("bad") ? answer : "ok"),
    });
    const to = (address: string) => mailer.send(mail({ to: { name: "", address } }));
    // The bad one comes on a kept connection, where nodemailer's own pool would try again by itself.
    expect(await to("first@example.test")).toMatchObject({ kind: "accepted" });
    expect(await to("bad@example.test")).not.toMatchObject({ kind: "accepted" });
    expect(await to("last@example.test")).toMatchObject({ kind: "accepted" });
    expect(server.rcptTo).toEqual(["first@example.test", "bad@example.test", "last@example.test"]);
    const good = server.deliveries.filter(({ address }) => !address.startsWith("bad"));
    expect(good).toHaveLength(2);
  });
});

describe("SmtpMailer after the end of a message", () => {
  /** A mail whose server has it and has not answered yet. */
  async function unanswered() {
    const { promise: after, resolve: answer } = Promise.withResolvers<undefined>();
    const server = await startSmtpServer({
      answer: (address) => (address.startsWith("slow") ? { after } : "ok"),
    });
    later(() => server.close());
    const { setTimer, forward } = createManualTimers();
    const mailer = new SmtpMailer({ url: server.url, concurrency: 2, setTimer });
    later(async () => {
      const closing = mailer.close();
      forward(seconds(1));
      await closing;
    });
    let outcome: MailOutcome | undefined;
    const sending = mailer.send(mail({ to: { name: "", address: "slow@example.test" } }));
    void sending.then((ended) => (outcome = ended));
    await expect.poll(() => server.count()).toBe(1);
    return { server, mailer, forward, answer, sending, outcome: () => outcome };
  }

  it("takes an answer that comes after five minutes (R32)", async () => {
    const { server, forward, answer, sending, outcome } = await unanswered();
    forward(minutes(5));
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome()).toBeUndefined();
    answer(undefined);
    expect(await sending).toMatchObject({ kind: "accepted" });
    expect(server.count()).toBe(1);
  });

  it("does not know how it ended when no answer came for ten minutes (R32)", async () => {
    const { forward, sending, outcome } = await unanswered();
    forward(minutes(10) - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome()).toBeUndefined();
    forward(1);
    expect(await sending).toEqual({
      kind: "unknown",
      detail: "The mail server took the message and did not answer within 10 minutes",
    });
  });

  it("waits longer than for any other answer (R32)", async () => {
    const { mailer } = await smtpRig(
      { answer: () => ({ slow: 400 }) },
      { timeouts: { answer: 100, whole: 200, completion: 10_000 } },
    );
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it("waits no longer than before for the answers to the next mail (R32)", async () => {
    const { mailer } = await smtpRig(
      { answer: (_, attempt) => (attempt === 1 ? "ok" : "silent") },
      { timeouts: { answer: 100 } },
    );
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
    expect(await mailer.send(mail())).toMatchObject({ kind: "unreachable", detail: "Timeout" });
  });

  it("holds up no mail on another connection (R32)", async () => {
    const { mailer, outcome } = await unanswered();
    for (let mails = 0; mails < 3; mails += 1) {
      expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
    }
    expect(outcome()).toBeUndefined();
  });

  it("does not wait for the answer when it is closed (R21, R32)", async () => {
    const { mailer, forward, sending } = await unanswered();
    const closing = mailer.close();
    forward(seconds(1));
    await closing;
    expect(await sending).toMatchObject({ kind: "unknown" });
  });
});

describe("SmtpMailer", () => {
  const login = { user: "team@frontdesk.test", pass: "p@ss: wörd/?" };

  it("logs in with the percent-decoded user and password of the URL", async () => {
    const { mailer } = await smtpRig({ auth: login });
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it("is unauthorized by a wrong password, and does not repeat it", async () => {
    const { mailer, server } = await smtpRig(
      { auth: login },
      { url: (url) => url.replace(/:[^:@]*@/, ":wrong@") },
    );
    const outcome = await mailer.send(mail());
    expect(outcome).toMatchObject({ kind: "unauthorized", detail: expect.stringMatching(/^535 /) });
    expect(server.count()).toBe(0);
  });

  it("is unauthorized where a login is wanted and there is none", async () => {
    const { mailer } = await smtpRig({ auth: login }, { url: (url) => url.replace(/\/\/.*@/, "//") });
    expect(await mailer.send(mail())).toMatchObject({ kind: "unauthorized" });
  });

  it("keeps the password out of what the server says, and that to one short line", async () => {
    const { mailer } = await smtpRig({
      auth: login,
      answer: () => ({ code: 550, text: `No "${login.pass}"\t\x07${"x".repeat(900)}` }),
    });
    const { detail } = await mailer.send(mail());
    expect(detail).toHaveLength(300);
    expect(detail).toMatch(/^550 No "\*\*\*" x+$/);
  });

  it("finds a refused connection unreachable", async () => {
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${await findRefusedPort()}`, concurrency: 1 });
    later(() => mailer.close());
    expect(await mailer.send(mail())).toMatchObject({
      kind: "unreachable",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("finds a server that never greets unreachable, within the timeout", async () => {
    const hole = await startBlackHole();
    later(() => hole.close());
    const mailer = new SmtpMailer({
      url: hole.url,
      concurrency: 1,
      timeouts: { connect: 200, greeting: 200 },
    });
    later(() => mailer.close());
    const began = performance.now();
    expect(await mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    expect(performance.now() - began).toBeLessThan(1_500);
  });

  it("gives up on a server that drips single lines for ever", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume().write("220 here\r\n");
      const drip = setInterval(() => socket.write("250-and more\r\n"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    later(async () => server.close());
    const { port } = server.address() as AddressInfo;
    const mailer = new SmtpMailer({
      url: `smtp://127.0.0.1:${port}`,
      concurrency: 1,
      timeouts: { answer: 200, whole: 500 },
    });
    later(() => mailer.close());
    expect(await mailer.send(mail())).toEqual({
      kind: "unreachable",
      detail: "The mail server took too long",
    });
  });

  it("finds a connection cut in the middle of a large mail unreachable: the end never left", async () => {
    const { mailer, server } = await smtpRig({ answer: () => ({ dropAfterBytes: 100_000 }) });
    const text = `${"All work and no play makes a long mail. ".repeat(2)}\n`.repeat(150_000);
    expect(await mailer.send(mail({ text }))).toMatchObject({
      kind: "unreachable",
      detail: expect.stringMatching(/ECONNRESET|EPIPE|closed/),
    });
    expect(server.count()).toBe(0);
  });

  it("sends the next mail whole after a large one that was refused", async () => {
    const { mailer, server } = await smtpRig({
      answer: (address) => (address.startsWith("bad") ? { code: 552, at: "data" } : "ok"),
    });
    const text = `${"x".repeat(70)}\n`.repeat(20_000);
    const bad = { name: "", address: "bad@example.test" };
    expect(await mailer.send(mail({ to: bad, text }))).toMatchObject({ kind: "refused", code: 552 });
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
    expect((await server.mails[0]?.parse())?.text?.trim()).toBe("Dear Ada,\n.\nit runs.");
  });

  it("finds the mail server by its name", async () => {
    const { mailer } = await smtpRig({}, { url: (url) => url.replace("127.0.0.1", "localhost") });
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it("does not claim to know of a small mail cut while it was read: its end was on its way", async () => {
    const { mailer } = await smtpRig({ answer: () => ({ dropAfterBytes: 1 }) });
    expect(await mailer.send(mail())).toMatchObject({ kind: "unknown" });
  });

  it("accepts no certificate that nobody vouches for", async () => {
    const { mailer, server } = await smtpRig({ tls: true });
    expect(await mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    expect(server.count()).toBe(0);
  });

  it("sends nothing unencrypted to another machine's name, unless the URL says so", async () => {
    // 127.0.0.1 under a name that is not recognised as this machine.
    const elsewhere = (url: string) => url.replace("127.0.0.1", "[::ffff:7f00:1]");
    const strict = await smtpRig({}, { url: elsewhere });
    expect(await strict.mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    expect(strict.server.rcptTo).toEqual([]);
    const allowed = await smtpRig({}, { url: (url) => `${elsewhere(url)}?tls=off` });
    expect(await allowed.mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it.each([
    "http://127.0.0.1",
    "smtp:///inbox",
    "127.0.0.1:25",
    "smtps://h?tls=off",
    "smtp://h?tls=no",
    "smtp://u:%zz@h",
  ])("refuses the URL %s without repeating it", (url) => {
    const make = () => new SmtpMailer({ url, concurrency: 1 });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(url);
  });

  it("uses no more connections than it may, and uses them again", async () => {
    const { mailer, server } = await smtpRig();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 12 }, () => mailer.send(mail())));
    }
    expect(server.count()).toBe(36);
    expect(server.connections()).toBe(3);
  });

  it("survives a restart of the mail server without a failed mail", async () => {
    const first = await startSmtpServer();
    const mailer = new SmtpMailer({ url: first.url, concurrency: 2 });
    later(() => mailer.close());
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
    await first.close();
    expect(await mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    const second = await startSmtpServer({ port: first.port });
    later(() => second.close());
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it("cannot prove what it handed over", async () => {
    const { mailer } = await smtpRig();
    expect(await mailer.knows()).toBeUndefined();
  });

  it("leaves nothing open that would keep the process alive once it is closed", async () => {
    const { mailer } = await smtpRig();
    const open = () =>
      process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;
    await expect.poll(open).toBe(0);
    await Promise.all([mailer.send(mail()), mailer.send(mail())]);
    expect(open()).toBeGreaterThan(0);
    await mailer.close();
    await expect.poll(open).toBe(0);
  });

  it("lets a mail under way finish when it is closed, and then sends no more", async () => {
    const { mailer, server } = await smtpRig({ answer: () => ({ slow: 100 }) });
    const underWay = mailer.send(mail());
    await expect.poll(() => server.rcptTo.length).toBe(1);
    await mailer.close();
    expect(await underWay).toMatchObject({ kind: "accepted" });
    expect(await mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    expect(server.count()).toBe(1);
  });
});
