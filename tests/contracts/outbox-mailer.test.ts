import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { openDatabase } from "~/db/open-database.server";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import type { OutboxRow, OutboxRows } from "~/services/mail/outbox.server";
import { createOutboxRows } from "~/services/mail/outbox.server";
import { useCleanups } from "../cleanups";
import { mail } from "../factories/mail";
import { describeMailer } from "../factories/mailer-battery";

const later = useCleanups();

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

describeMailer("OutboxMailer (C18, C19)", outboxRig);

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
    return createOutboxRows(database);
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
