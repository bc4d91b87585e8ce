import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "~/db/database.server";
import { composeOutreachMail } from "~/services/mail/compose";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { SmtpMailer } from "~/services/mail/drivers/smtp-mailer.server";
import type { Mail, Mailer } from "~/services/mail/mailer";
import type { OutboxRow, OutboxRows } from "~/services/mail/outbox-rows";
import { outboxRows } from "~/services/mail/outbox-rows.server";
import type { Answer, SmtpServerOptions } from "../fakes/smtp-server";
import { refusedPort, startBlackHole, startSmtpServer } from "../fakes/smtp-server";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const later = (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup);

let made = 0;
/** A valid mail; `change` makes it what the test is about. */
function mail(change: Partial<Mail> = {}): Mail {
  made += 1;
  return {
    messageId: `<mail-${made}@frontdesk.test>`,
    from: { name: "The team", address: "team@frontdesk.test" },
    to: { name: "Ada Lovelace", address: "ada@example.test" },
    subject: "News of the engine",
    text: "Dear Ada,\n.\nit runs.",
    html: "<p>Dear Ada, <b>it runs</b>.</p>",
    headers: {},
    ...change,
  };
}

/** What arrived: the message, and whom the envelope named where there is one. */
interface Arrived {
  raw: string;
  recipients: readonly string[];
}
interface Rig {
  mailer: Mailer;
  arrived(): Promise<Arrived[]>;
}

/** What every driver does, whatever it speaks to. */
function mailerContract(name: string, make: () => Promise<Rig>): void {
  describe(`${name}, as every mailer`, () => {
    it("delivers a mail with both parts", async () => {
      const { mailer, arrived } = await make();
      expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
      const [only, ...more] = await arrived();
      const parsed = await PostalMime.parse(only?.raw ?? "");
      expect(more).toEqual([]);
      expect(only?.recipients).toEqual(["ada@example.test"]);
      expect(parsed).toMatchObject({
        from: { name: "The team", address: "team@frontdesk.test" },
        to: [{ name: "Ada Lovelace", address: "ada@example.test" }],
        subject: "News of the engine",
      });
      expect(parsed.text?.trim()).toBe("Dear Ada,\n.\nit runs.");
      expect(parsed.html?.trim()).toBe("<p>Dear Ada, <b>it runs</b>.</p>");
      expect(only?.raw).toMatch(/^Date: /m);
    });

    it("keeps the Message-ID and the headers as they are, on one line each", async () => {
      const { mailer, arrived } = await make();
      const unsubscribe = `<https://frontdesk.test/unsubscribe/${"a".repeat(150)}>`;
      await mailer.send(
        mail({
          messageId: "<0192-kept@frontdesk.test>",
          headers: {
            "List-Unsubscribe": unsubscribe,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          },
        }),
      );
      const lines = (await arrived())[0]?.raw.split("\r\n");
      expect(lines).toContain("Message-ID: <0192-kept@frontdesk.test>");
      expect(lines).toContain(`List-Unsubscribe: ${unsubscribe}`);
      expect(lines).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    });

    it("carries names and subjects of every script, quotes and long ones included", async () => {
      const { mailer, arrived } = await make();
      const name = 'Zoë "Z" <z@evil.test>, 王';
      const subject = `Grüße 🙂 ${"long ".repeat(60).trim()}`;
      await mailer.send(mail({ to: { name, address: "zoe@example.test" }, subject, text: "Grüße 🙂" }));
      const parsed = await PostalMime.parse((await arrived())[0]?.raw ?? "");
      expect(parsed.to).toEqual([{ name, address: "zoe@example.test" }]);
      expect(parsed.subject).toBe(subject);
      expect(parsed.text?.trim()).toBe("Grüße 🙂");
    });

    const injected = "Hi\r\nBcc: e@x.test";
    it.each<[string, Partial<Mail>]>([
      ["the subject", { subject: injected }],
      ["a bare line feed in the subject", { subject: "Hi\nBcc: e@x.test" }],
      ["a NUL in the subject", { subject: "Hi\0" }],
      ["the recipient's name", { to: { name: injected, address: "ada@example.test" } }],
      ["the sender's name", { from: { name: injected, address: "team@frontdesk.test" } }],
      ["a header's value", { headers: { "X-Note": injected } }],
      ["a header's name", { headers: { "X-Note: 1\r\nBcc": "e@x.test" } }],
      ["a second recipient header", { headers: { Bcc: "e@x.test" } }],
      ["the Message-ID", { messageId: "<a@x.test>\r\nBcc: e@x.test" }],
      ["a Message-ID without brackets", { messageId: "a@x.test" }],
    ])("refuses a header injected by %s (C18)", async (_where, change) => {
      const { mailer, arrived } = await make();
      await expect(mailer.send(mail(change))).rejects.toThrow(TypeError);
      expect(await arrived()).toEqual([]);
    });

    it("sends a composed title with line breaks as one Subject line, to the chosen address only (C18)", async () => {
      const { mailer, arrived } = await make();
      const composed = composeOutreachMail({
        title: injected,
        message: "Hello {{name}}",
        recipient: { name: "Ada\r\nCc: e@x.test", address: "ada@example.test" },
        sender: { name: "The team\nBcc: e@x.test", address: "team@frontdesk.test" },
        messageId: "<composed@frontdesk.test>",
        unsubscribeUrl: "https://frontdesk.test/unsubscribe/token",
      });
      expect(await mailer.send(composed)).toMatchObject({ kind: "accepted" });
      const [only] = await arrived();
      const headers = only?.raw.split("\r\n\r\n")[0]?.split("\r\n") ?? [];
      expect(headers.filter((line) => /^(subject|bcc|cc|to):/i.test(line))).toEqual([
        'To: "Ada Cc: e@x.test" <ada@example.test>',
        "Subject: Hi Bcc: e@x.test",
      ]);
      expect(only?.recipients).toEqual(["ada@example.test"]);
    });

    it.each<[string, unknown]>([
      ["a line break and a header", "a@x.test\r\nBcc: e@x.test"],
      ["a list", "a@x.test, e@x.test"],
      ["a group", "g:a@x.test,b@x.test;"],
      ["a quoted local part", '"u@g.test x"@h.test'],
      ["an array", ["a@x.test"]],
      ["an object", { address: "a@x.test" }],
      ["a name in front", "Ada <a@x.test>"],
      ["a letter outside ASCII", "adá@x.test"],
      ["a space", "a @x.test"],
      ["a trailing line feed", "a@x.test\n"],
      ["no domain", "a"],
      ["nothing", ""],
      ["undefined", undefined],
    ])("refuses %s as the recipient (C19)", async (_what, address) => {
      const { mailer, arrived } = await make();
      await expect(mailer.send(mail({ to: { name: "", address: address as string } }))).rejects.toThrow(
        TypeError,
      );
      await expect(mailer.send(mail({ from: { name: "", address: address as string } }))).rejects.toThrow(
        TypeError,
      );
      expect(await arrived()).toEqual([]);
    });

    it.each(["html", "text", "subject"] as const)(
      "refuses an object as the %s, so that no file is ever mailed (C19)",
      async (field) => {
        const { mailer, arrived } = await make();
        const content = { path: "/etc/hostname" } as unknown as string;
        await expect(mailer.send(mail({ [field]: content }))).rejects.toThrow(TypeError);
        expect(await arrived()).toEqual([]);
      },
    );

    it("takes many mails at once and loses none", async () => {
      const { mailer, arrived } = await make();
      const mails = Array.from({ length: 40 }, (_, at) =>
        mail({ to: { name: "", address: `p${at}@example.test` } }),
      );
      const outcomes = await Promise.all(mails.map((each) => mailer.send(each)));
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["accepted"]));
      const recipients = (await arrived()).flatMap((each) => each.recipients);
      expect(recipients.sort()).toEqual(mails.map((each) => each.to.address).sort());
    });
  });
}

async function smtpRig(options: SmtpServerOptions = {}, url?: (url: string) => string) {
  const server = await startSmtpServer(options);
  later(() => server.close());
  const mailer = new SmtpMailer({
    url: url?.(server.url) ?? server.url,
    concurrency: 3,
    timeouts: { connect: 3_000, greeting: 3_000, answer: 1_000, whole: 10_000 },
  });
  later(() => mailer.close());
  return {
    server,
    mailer,
    arrived: async () => server.mails.map(({ raw, to }) => ({ raw: raw.toString(), recipients: to })),
  };
}

/** The rows of an outbox, kept in memory. */
class RowsInMemory implements OutboxRows {
  readonly rows: OutboxRow[] = [];
  async insert(row: OutboxRow): Promise<void> {
    if (!(await this.findByMessageId(row.messageId))) this.rows.push(row);
  }
  async findByMessageId(messageId: string): Promise<OutboxRow | undefined> {
    return this.rows.find((row) => row.messageId === messageId);
  }
  async find(id: string): Promise<OutboxRow | undefined> {
    return this.rows.find((row) => row.id === id);
  }
  async list({ limit }: { limit: number }): Promise<OutboxRow[]> {
    return this.rows.toReversed().slice(0, limit);
  }
}

const TODAY = Date.UTC(2026, 0, 2, 23, 59);

async function outboxRig() {
  const parent = await mkdtemp(join(tmpdir(), "frontdesk-outbox-"));
  later(() => rm(parent, { recursive: true }));
  const folder = join(parent, "outbox");
  const rows = new RowsInMemory();
  const clock = { now: TODAY };
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const mailer = new OutboxMailer({ folder, rows, newId, now: () => clock.now });
  const files = async () => {
    const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  return {
    parent,
    folder,
    rows,
    clock,
    mailer,
    files,
    arrived: async () =>
      Promise.all(
        (await files()).map(async (file) => {
          const raw = await readFile(file, "utf8");
          const { to } = await PostalMime.parse(raw);
          return { raw, recipients: to?.map(({ address = "" }) => address) ?? [] };
        }),
      ),
  };
}

mailerContract("SmtpMailer", smtpRig);
mailerContract("SmtpMailer without pipelining", () => smtpRig({ pipelining: false }));
mailerContract("OutboxMailer", outboxRig);

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

describe("SmtpMailer", () => {
  const login = { user: "team@frontdesk.test", pass: "p@ss: wörd/?" };

  it("logs in with the percent-decoded user and password of the URL", async () => {
    const { mailer } = await smtpRig({ auth: login });
    expect(await mailer.send(mail())).toMatchObject({ kind: "accepted" });
  });

  it("is unauthorized by a wrong password, and does not repeat it", async () => {
    const { mailer, server } = await smtpRig({ auth: login }, (url) => url.replace(/:[^:@]*@/, ":wrong@"));
    const outcome = await mailer.send(mail());
    expect(outcome).toMatchObject({ kind: "unauthorized", detail: expect.stringMatching(/^535 /) });
    expect(server.count()).toBe(0);
  });

  it("is unauthorized where a login is wanted and there is none", async () => {
    const { mailer } = await smtpRig({ auth: login }, (url) => url.replace(/\/\/.*@/, "//"));
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
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${await refusedPort()}`, concurrency: 1 });
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
    const { mailer } = await smtpRig({}, (url) => url.replace("127.0.0.1", "localhost"));
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
    const strict = await smtpRig({}, elsewhere);
    expect(await strict.mailer.send(mail())).toMatchObject({ kind: "unreachable" });
    expect(strict.server.rcptTo).toEqual([]);
    const allowed = await smtpRig({}, (url) => `${elsewhere(url)}?tls=off`);
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

describe("OutboxMailer", () => {
  it("files a mail under its day with a row beside, for the owner only", async () => {
    const { mailer, folder, rows, files } = await outboxRig();
    await mailer.send(mail({ messageId: "<one@frontdesk.test>" }));
    expect(rows.rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        messageId: "<one@frontdesk.test>",
        toAddress: "ada@example.test",
        subject: "News of the engine",
        file: expect.stringMatching(/^2026-01-02\/[0-9a-f]{32}\.eml$/),
        createdAt: TODAY,
      },
    ]);
    const [file = ""] = await files();
    expect(file).toBe(join(folder, rows.rows[0]?.file ?? ""));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(file, "utf8")).toContain("Date: Fri, 02 Jan 2026 23:59:00 +0000");
  });

  it("knows what it handed over, and nothing else", async () => {
    const { mailer } = await outboxRig();
    const sent = mail();
    await mailer.send(sent);
    expect(await mailer.knows(sent.messageId)).toBe(true);
    expect(await mailer.knows("<other@frontdesk.test>")).toBe(false);
  });

  it("keeps one file and one row of a mail sent twice, the second in the place of the first", async () => {
    const { mailer, rows, clock, arrived } = await outboxRig();
    const twice = mail();
    await mailer.send(twice);
    clock.now += 86_400_000;
    expect(await mailer.send({ ...twice, text: "Corrected" })).toMatchObject({ kind: "accepted" });
    const all = await arrived();
    expect(all).toHaveLength(1);
    expect(all[0]?.raw).toContain("Corrected");
    expect(rows.rows).toHaveLength(1);
  });

  it("keeps one file and one row of a mail sent twice at once", async () => {
    const { mailer, rows, files } = await outboxRig();
    const twice = mail();
    const outcomes = await Promise.all([mailer.send(twice), mailer.send(twice)]);
    expect(outcomes).toMatchObject([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(await files()).toHaveLength(1);
    expect(rows.rows).toHaveLength(1);
  });

  it("leaves one file after a kill between file and row, even across midnight", async () => {
    const { mailer, rows, clock, files } = await outboxRig();
    const interrupted = mail();
    await mailer.send(interrupted);
    rows.rows.length = 0;
    expect(await mailer.knows(interrupted.messageId)).toBe(false);
    clock.now += 120_000;
    await mailer.send(interrupted);
    expect(await files()).toHaveLength(1);
    expect(rows.rows).toMatchObject([{ file: expect.stringMatching(/^2026-01-02\//) }]);
  });

  it("shows a file only when it is whole: whoever looks meanwhile sees .tmp or everything", async () => {
    const { mailer, files } = await outboxRig();
    const end = "The end of a long mail";
    const text = `${"x".repeat(70)}\n`.repeat(40_000) + end;
    let sending = true;
    const sent = Promise.all(Array.from({ length: 6 }, () => mailer.send(mail({ text, html: end })))).finally(
      () => {
        sending = false;
      },
    );
    let looks = 0;
    while (sending) {
      for (const file of await files()) {
        if (!file.endsWith(".eml")) expect(file).toMatch(/\.tmp$/);
        else expect((await readFile(file, "utf8")).trimEnd()).toMatch(/--$/);
        looks += 1;
      }
    }
    await sent;
    expect(looks).toBeGreaterThan(0);
    expect((await files()).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  it("answers unreachable, in plain words, when the disk does not take the mail", async () => {
    const { mailer, parent, folder, rows } = await outboxRig();
    await writeFile(folder, "a file where the folder should be");
    const outcome = await mailer.send(mail());
    expect(outcome).toMatchObject({ kind: "unreachable", detail: expect.stringMatching(/ENOTDIR|EEXIST/) });
    expect(outcome.detail).not.toContain(parent);
    expect(rows.rows).toEqual([]);
  });

  it("answers unreachable when the row cannot be written", async () => {
    const { mailer, rows } = await outboxRig();
    rows.insert = async () => {
      throw new Error("SQLITE_FULL: database or disk is full");
    };
    const sent = mail();
    expect(await mailer.send(sent)).toMatchObject({ kind: "unreachable" });
    expect(await mailer.knows(sent.messageId)).toBe(false);
  });
});

describe("the outbox's rows in SQLite", () => {
  async function openRows(): Promise<OutboxRows> {
    const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-rows-"));
    later(() => rm(dataDir, { recursive: true }));
    const database = await openDatabase({ dataDir, onError: () => undefined });
    later(() => database.close());
    return outboxRows(database);
  }
  const row = (id: string, createdAt: number): OutboxRow => ({
    id,
    messageId: `<${id}@frontdesk.test>`,
    toAddress: "ada@example.test",
    subject: "News",
    file: `2026-01-02/${id}.eml`,
    createdAt,
  });

  it("finds a row by its id and by its Message-ID", async () => {
    const rows = await openRows();
    await rows.insert(row("a", 1));
    expect(await rows.find("a")).toEqual(row("a", 1));
    expect(await rows.findByMessageId("<a@frontdesk.test>")).toEqual(row("a", 1));
    expect(await rows.find("b")).toBeUndefined();
    expect(await rows.findByMessageId("a")).toBeUndefined();
  });

  it("keeps the first of two rows with one Message-ID", async () => {
    const rows = await openRows();
    await rows.insert(row("a", 1));
    await rows.insert({ ...row("b", 2), messageId: "<a@frontdesk.test>" });
    expect(await rows.list({ limit: 10 })).toEqual([row("a", 1)]);
  });

  it("lists the newest first, as many as asked for", async () => {
    const rows = await openRows();
    for (const each of [row("a", 2), row("b", 3), row("c", 1), row("d", 3)]) await rows.insert(each);
    expect((await rows.list({ limit: 3 })).map(({ id }) => id)).toEqual(["d", "b", "a"]);
  });
});
