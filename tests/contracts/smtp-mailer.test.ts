import { describe, expect, it, onTestFinished } from "vitest";
import { minutes, seconds } from "~/lib/durations";
import { SmtpMailer, type SmtpMailerOptions } from "~/services/mail/drivers/smtp-mailer.server";
import type { SendOutcome } from "~/services/mail/mailer";
import { freePort } from "../../scripts/free-port.mjs";
import { removeAfterTest } from "../fixture";
import { createEmail } from "../factories/email";
import { describeMailer } from "../factories/mailer-battery";
import { createManualTimers } from "../factories/time";
import { chooseSize } from "../sizes";
import { startBlackHole, startSmtpServer, type Answer, type SmtpServerOptions } from "../fakes/smtp-server";

function createMailer(url: string, timeouts: SmtpMailerOptions["timeouts"] = {}): SmtpMailer {
  const short = { connect: 3_000, greeting: 3_000, answer: 1_000, whole: 10_000, completion: 1_000 };
  return removeAfterTest(new SmtpMailer({ url, concurrency: 3, timeouts: { ...short, ...timeouts } }));
}

async function startMailer(
  options: SmtpServerOptions = {},
  {
    toUrl = (url) => url,
    ...timeouts
  }: SmtpMailerOptions["timeouts"] & { toUrl?: (url: string) => string } = {},
) {
  const server = removeAfterTest(await startSmtpServer(options));
  const mailer = createMailer(toUrl(server.url), timeouts);
  return {
    server,
    mailer,
    arrived: async () => server.emails.map(({ raw, to }) => ({ raw: raw.toString(), recipients: to })),
  };
}

// C18, C19
describeMailer("SmtpMailer", startMailer);
// C18, C19
describeMailer("SmtpMailer without pipelining", () => startMailer({ pipelining: false }));

describe.each([{ pipelining: true }, { pipelining: false }])("SmtpMailer with %o", ({ pipelining }) => {
  it.each<[string, Answer, object]>([
    ["451 at RCPT TO", { code: 451, text: "Busy" }, { kind: "deferred", code: 451, detail: "451 Busy" }],
    ["451 after DATA", { code: 451, at: "data" }, { kind: "deferred", code: 451 }],
    ["550 at RCPT TO", { code: 550, text: "No" }, { kind: "refused", part: "recipient", detail: "550 No" }],
    ["552 after DATA", { code: 552, at: "data" }, { kind: "refused", part: "message" }],
    ["530 at RCPT TO", { code: 530 }, { kind: "unauthorized" }],
    ["421 at RCPT TO", "421", { kind: "unreachable", detail: "421 Too many messages, closing" }],
    ["421 after DATA", { code: 421, at: "data" }, { kind: "unreachable" }],
    ["a connection cut at DATA", "drop-in-data", { kind: "unreachable" }],
    ["a connection cut after the final dot", "drop-after-data", { kind: "unknown" }],
    ["silence after the final dot", { slow: 60_000 }, { kind: "unknown" }],
  ])("reports %s, tries it once, and sends the next email", async (_, answer, expected) => {
    const { mailer, server } = await startMailer({
      pipelining,
      answer: (address) => (address.startsWith("bad") ? answer : "ok"),
    });
    const sendTo = (address: string) => mailer.send(createEmail({ to: { name: "", address } }));
    const accepted = { kind: "accepted", detail: expect.stringMatching(/^250 /) };
    // The bad one is sent on a reused connection, where nodemailer's own pool would retry by itself.
    expect(await sendTo("first@example.test")).toMatchObject(accepted);
    expect(await sendTo("bad@example.test")).toMatchObject(expected);
    expect(await sendTo("last@example.test")).toMatchObject(accepted);
    expect(server.rcptTo).toEqual(["first@example.test", "bad@example.test", "last@example.test"]);
    const good = server.deliveries.filter(({ address }) => !address.startsWith("bad"));
    expect(good).toHaveLength(2);
  });
});

describe("SmtpMailer after the end of a message", () => {
  /** Sends an email whose server has received it and not responded yet. */
  async function sendUnanswered() {
    const { promise: after, resolve: answer } = Promise.withResolvers<undefined>();
    const respond = (address: string): Answer => (address.startsWith("slow") ? { after } : "ok");
    const server = removeAfterTest(await startSmtpServer({ answer: respond }));
    const { setTimer, forward } = createManualTimers();
    const mailer = new SmtpMailer({ url: server.url, concurrency: 2, setTimer });
    const close = async () => {
      const closing = mailer.close();
      forward(seconds(1));
      await closing;
    };
    onTestFinished(close);
    let outcome: SendOutcome | undefined;
    const sending = mailer.send(createEmail({ to: { name: "", address: "slow@example.test" } }));
    void sending.then((result) => (outcome = result));
    await expect.poll(() => server.count()).toBe(1);
    return { server, mailer, forward, answer, close, sending, outcome: () => outcome };
  }

  // R32
  it("accepts a response after five minutes", async () => {
    const { server, forward, answer, sending, outcome } = await sendUnanswered();
    forward(minutes(5));
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome()).toBeUndefined();
    answer(undefined);
    expect(await sending).toMatchObject({ kind: "accepted" });
    expect(server.count()).toBe(1);
  });

  // R32
  it("reports unknown after ten minutes without a response", async () => {
    const { forward, sending, outcome } = await sendUnanswered();
    forward(minutes(10) - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome()).toBeUndefined();
    forward(1);
    expect(await sending).toEqual({
      kind: "unknown",
      detail: "The mail server took the message and did not answer within 10 minutes",
    });
  });

  // R32
  it("waits longer for the response to the message", async () => {
    const { mailer } = await startMailer(
      { answer: (_, attempt) => (attempt === 1 ? { slow: 400 } : "silent") },
      { answer: 100, completion: 10_000 },
    );
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unreachable", detail: "Timeout" });
  });

  // R32
  it("does not block emails on other connections", async () => {
    const { mailer, outcome } = await sendUnanswered();
    for (let emails = 0; emails < 3; emails += 1) {
      expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
    }
    expect(outcome()).toBeUndefined();
  });

  // R21, R32
  it("does not wait for the response when it is closed", async () => {
    const { close, sending } = await sendUnanswered();
    await close();
    expect(await sending).toMatchObject({ kind: "unknown" });
  });
});

describe("SmtpMailer", () => {
  const login = { user: "team@frontdesk.test", pass: "p@ss: wörd/?" };

  it("logs in with the percent-decoded user and password of the URL", async () => {
    const { mailer } = await startMailer({ auth: login });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
  });

  it.each([
    ["a wrong password", /:[^:@]*@/, ":wrong@", /^535 /],
    ["no password where one is required", /\/\/.*@/, "//", /./],
  ])("reports %s as unauthorized", async (_, part, replacement, detail) => {
    const toUrl = (url: string) => url.replace(part, replacement);
    const { mailer, server } = await startMailer({ auth: login }, { toUrl });
    const outcome = await mailer.send(createEmail());
    expect(outcome).toMatchObject({ kind: "unauthorized", detail: expect.stringMatching(detail) });
    expect(server.count()).toBe(0);
  });

  it("masks the password in the server's response, and keeps that to one short line", async () => {
    const { mailer } = await startMailer({
      auth: login,
      answer: () => ({ code: 550, text: `No "${login.pass}"\t\x07${"x".repeat(900)}` }),
    });
    const { detail } = await mailer.send(createEmail());
    expect(detail).toHaveLength(300);
    expect(detail).toMatch(/^550 No "\*\*\*" x+$/);
  });

  it("reports a refused connection as unreachable", async () => {
    const mailer = createMailer(`smtp://127.0.0.1:${await freePort()}`);
    const refused = { kind: "unreachable", detail: expect.stringContaining("ECONNREFUSED") };
    expect(await mailer.send(createEmail())).toMatchObject(refused);
  });

  it("reports a server that never greets as unreachable within the timeout", async () => {
    const hole = removeAfterTest(await startBlackHole());
    const mailer = createMailer(hole.url, { connect: 200, greeting: 200 });
    const began = performance.now();
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    expect(performance.now() - began).toBeLessThan(chooseSize({ daily: 5000, full: 1500 }));
  });

  it("gives up on a server that sends single lines forever", async () => {
    const server = await startBlackHole((socket) => {
      socket.resume().write("220 here\r\n");
      const drip = setInterval(() => socket.write("250-and more\r\n"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    onTestFinished(() => server.close());
    const mailer = createMailer(server.url, { answer: 200, whole: 500 });
    const tooLate = { kind: "unreachable", detail: "The mail server took too long" };
    expect(await mailer.send(createEmail())).toEqual(tooLate);
  });

  it("reports a cut within a large email as unreachable", async () => {
    const { mailer, server } = await startMailer({ answer: () => ({ dropAfterBytes: 100_000 }) });
    const text = `${"All work and no play makes a long email. ".repeat(2)}\n`.repeat(150_000);
    const cut = { kind: "unreachable", detail: expect.stringMatching(/ECONNRESET|EPIPE|closed/) };
    expect(await mailer.send(createEmail({ text }))).toMatchObject(cut);
    expect(server.count()).toBe(0);
  });

  it("sends a complete email after a large one that was refused", async () => {
    const { mailer, server } = await startMailer({
      answer: (address) => (address.startsWith("bad") ? { code: 552, at: "data" } : "ok"),
    });
    const text = `${"x".repeat(70)}\n`.repeat(20_000);
    const bad = { name: "", address: "bad@example.test" };
    expect(await mailer.send(createEmail({ to: bad, text }))).toMatchObject({ kind: "refused", code: 552 });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
    expect((await server.emails[0]?.parse())?.text?.trim()).toBe("Dear Ada,\n.\nit runs.");
  });

  it("resolves the name of the mail server", async () => {
    const { mailer } = await startMailer({}, { toUrl: (url) => url.replace("127.0.0.1", "localhost") });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
  });

  it("reports a cut while a small email was read as unknown: its end was already sent", async () => {
    const { mailer } = await startMailer({ answer: () => ({ dropAfterBytes: 1 }) });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unknown" });
  });

  it("accepts no certificate without an authority's signature", async () => {
    const { mailer, server } = await startMailer({ tls: true });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    expect(server.count()).toBe(0);
  });

  it("sends nothing unencrypted to another machine, unless the URL says so", async () => {
    // 127.0.0.1 under a name that is not recognised as this machine.
    const toOtherMachine = (url: string) => url.replace("127.0.0.1", "[::ffff:7f00:1]");
    const strict = await startMailer({}, { toUrl: toOtherMachine });
    expect(await strict.mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    expect(strict.server.rcptTo).toEqual([]);
    const allowed = await startMailer({}, { toUrl: (url) => `${toOtherMachine(url)}?tls=off` });
    expect(await allowed.mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
  });

  it.each([
    "http://127.0.0.1",
    "smtp:///inbox",
    "127.0.0.1:25",
    "smtps://h?tls=off",
    "smtp://h?tls=no",
    "smtp://h?tsl=off",
    "smtp://h/inbox",
    "smtp://:secret@h",
    "smtp://u:%zz@h",
  ])("refuses the URL %s without repeating it", (url) => {
    const make = () => new SmtpMailer({ url, concurrency: 1 });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(url);
  });

  it("reuses connections, at most as many as configured", async () => {
    const { mailer, server } = await startMailer();
    for (let batch = 0; batch < 3; batch += 1) {
      await Promise.all(Array.from({ length: 12 }, () => mailer.send(createEmail())));
    }
    expect(server.count()).toBe(36);
    expect(server.connections()).toBe(3);
  });

  it("sends on a new connection after a restart of the mail server", async () => {
    const first = await startSmtpServer();
    const mailer = createMailer(first.url);
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
    await first.close();
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    removeAfterTest(await startSmtpServer({ port: first.port }));
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
  });

  it("cannot prove that an email was sent", async () => {
    const { mailer } = await startMailer();
    expect(await mailer.knows()).toBeUndefined();
  });

  it("leaves no socket open once it is closed", async () => {
    const { mailer } = await startMailer();
    const countSockets = () =>
      process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;
    await expect.poll(countSockets).toBe(0);
    await Promise.all([mailer.send(createEmail()), mailer.send(createEmail())]);
    expect(countSockets()).toBeGreaterThan(0);
    await mailer.close();
    await expect.poll(countSockets).toBe(0);
  });

  it("finishes an email in flight when it is closed, and then sends no more", async () => {
    const { mailer, server } = await startMailer({ answer: () => ({ slow: 100 }) });
    const sending = mailer.send(createEmail());
    await expect.poll(() => server.rcptTo.length).toBe(1);
    await mailer.close();
    expect(await sending).toMatchObject({ kind: "accepted" });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "unreachable" });
    expect(server.count()).toBe(1);
  });
});
