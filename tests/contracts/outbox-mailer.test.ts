import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { days, minutes } from "~/lib/durations";
import { isUuid } from "~/lib/uuid";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { createOutbox, type Outbox } from "~/services/mail/outbox.server";
import { listStoredEmails } from "~/services/mail/outbox-person-data.server";
import { newId } from "~/services/service-deps";
import { createEmail } from "../factories/email";
import { describeMailer } from "../factories/mailer-battery";
import { useDatabase } from "./use-database";

const { database, place } = useDatabase("sqlite");

const TODAY = Date.UTC(2026, 0, 2, 23, 59);

function createTestOutbox(differing: Partial<Outbox> = {}) {
  const folder = join(place.environment.DATA_DIR, "outbox");
  const rows = { ...createOutbox({ database, folder }), ...differing };
  const clock = { now: TODAY };
  const mailer = new OutboxMailer({ folder, rows, newId, now: () => clock.now });
  const listFiles = async () => {
    const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  return {
    folder,
    clock,
    mailer,
    rows,
    listFiles,
    listRows: (limit = 100) => rows.list({ limit }),
    arrived: async () =>
      Promise.all(
        (await listFiles()).map(async (file) => {
          const raw = await readFile(file, "utf8");
          const { to } = await PostalMime.parse(raw);
          return { raw, recipients: to?.map(({ address = "" }) => address) ?? [] };
        }),
      ),
  };
}

// C18, C19
describeMailer("OutboxMailer", async () => createTestOutbox());

describe("OutboxMailer", () => {
  it("stores an email in a folder per day, for its owner only", async () => {
    const { mailer, folder, listRows, listFiles } = createTestOutbox();
    await mailer.send(createEmail({ messageId: "<one@frontdesk.test>" }));
    const [row] = await listRows();
    expect(await listRows()).toEqual([
      {
        id: expect.toSatisfy(isUuid),
        message_id: "<one@frontdesk.test>",
        to_address: "ada@example.test",
        subject: "News of the engine",
        file: expect.stringMatching(/^2026-01-02\/[0-9a-f]{32}\.eml$/),
        created_at: TODAY,
      },
    ]);
    const [file = ""] = await listFiles();
    expect(file).toBe(join(folder, row?.file ?? ""));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(file, "utf8")).toContain("Date: Fri, 02 Jan 2026 23:59:00 +0000");
    expect(await mailer.knows("<one@frontdesk.test>")).toBe(true);
    expect(await mailer.knows("<other@frontdesk.test>")).toBe(false);
  });

  it("lists the emails page by page, newest first, and those of one person", async () => {
    const { mailer, rows, clock } = createTestOutbox();
    for (const number of [1, 2, 3, 4, 5]) {
      await mailer.send(createEmail({ messageId: `<${number}@frontdesk.test>` }));
      clock.now += minutes(1);
    }
    const toNumbers = (emails: readonly { message_id: string }[]) =>
      emails.map(({ message_id }) => message_id[1]).join("");
    const first = await rows.list({ limit: 2 });
    const second = await rows.list({ limit: 2, before: first.at(-1)?.id });
    const back = await rows.list({ limit: 2, after: second[0]?.id });
    expect([first, second, back].map(toNumbers)).toEqual(["54", "32", "54"]);
    expect(toNumbers(await listStoredEmails(database.read, "ada@example.test", 3))).toBe("543");
  });

  it("replaces the file of an email that is sent again", async () => {
    const { mailer, listRows, clock, arrived } = createTestOutbox();
    const twice = createEmail();
    await mailer.send(twice);
    clock.now += days(1);
    expect(await mailer.send({ ...twice, text: "Corrected" })).toMatchObject({ kind: "accepted" });
    const all = await arrived();
    expect(all).toHaveLength(1);
    expect(all[0]?.raw).toContain("Corrected");
    expect(await listRows()).toHaveLength(1);
  });

  it("stores one file and one row of an email sent twice at once", async () => {
    const { mailer, listRows, listFiles } = createTestOutbox();
    const twice = createEmail();
    const outcomes = await Promise.all([mailer.send(twice), mailer.send(twice)]);
    expect(outcomes).toMatchObject([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(await listFiles()).toHaveLength(1);
    expect(await listRows()).toHaveLength(1);
  });

  it("deletes the file of an email whose row a kill prevented, however long ago", async () => {
    const { mailer, clock, listFiles } = createTestOutbox();
    const [kept, interrupted] = [createEmail(), createEmail()];
    for (const email of [kept, interrupted]) await mailer.send(email);
    await database.write((trx) =>
      trx.deleteFrom("outbox_emails").where("message_id", "=", interrupted.messageId).execute(),
    );
    clock.now += days(9);
    expect(await mailer.knows(interrupted.messageId)).toBe(false);
    expect(await mailer.knows(kept.messageId)).toBe(true);
    expect(await listFiles()).toHaveLength(1);
  });

  it("knows no email of a file beside the folders of the days", async () => {
    const { mailer, folder } = createTestOutbox();
    await mailer.send(createEmail());
    await writeFile(join(folder, ".DS_Store"), "");
    expect(await mailer.knows("<other@frontdesk.test>")).toBe(false);
  });

  it("has one file of an email sent again after midnight, whose row could not be written", async () => {
    let isFailing = true;
    const { insert } = createTestOutbox().rows;
    const { mailer, clock, listFiles } = createTestOutbox({
      insert: (row) => (isFailing ? Promise.reject(new Error("locked")) : insert(row)),
    });
    const email = createEmail();
    expect(await mailer.send(email)).toMatchObject({ kind: "unreachable" });
    isFailing = false;
    clock.now += minutes(2);
    await mailer.send(email);
    expect(await listFiles()).toHaveLength(1);
  });

  it("writes a file under a .tmp name until it is complete", async () => {
    const { mailer, listFiles } = createTestOutbox();
    const end = "The end of a long email";
    const text = `${"x".repeat(70)}\n`.repeat(40_000) + end;
    let sending = true;
    const emails = Array.from({ length: 6 }, () => createEmail({ text, html: end }));
    const sent = Promise.all(emails.map((email) => mailer.send(email))).finally(() => (sending = false));
    let looks = 0;
    while (sending) {
      for (const file of await listFiles()) {
        if (!file.endsWith(".eml")) expect(file).toMatch(/\.tmp$/);
        else expect((await readFile(file, "utf8")).trimEnd()).toMatch(/--$/);
        looks += 1;
      }
    }
    await sent;
    expect(looks).toBeGreaterThan(0);
    expect((await listFiles()).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  it("reports unreachable without the path when the disk fails", async () => {
    const { mailer, folder, listRows } = createTestOutbox();
    await writeFile(folder, "a file where the folder should be");
    const outcome = await mailer.send(createEmail());
    expect(outcome).toMatchObject({ kind: "unreachable", detail: expect.stringMatching(/ENOTDIR|EEXIST/) });
    expect(outcome.detail).not.toContain(place.environment.DATA_DIR);
    expect(await listRows()).toEqual([]);
  });

  // R50
  it("writes an email that a full disk refused again once space was made", async () => {
    const folder = join(place.environment.DATA_DIR, "outbox");
    await writeFile(folder, "");
    const mailer = new OutboxMailer({
      folder,
      rows: createOutbox({ database, folder }),
      newId,
      now: () => TODAY,
      retryWhenFull: (write) =>
        write().catch(async () => {
          await rm(folder);
          return write();
        }),
    });
    expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
  });

  it("reports unreachable when the row cannot be written", async () => {
    const { mailer } = createTestOutbox({
      insert: () => Promise.reject(new Error("SQLITE_FULL: database or disk is full")),
    });
    const sent = createEmail();
    expect(await mailer.send(sent)).toMatchObject({ kind: "unreachable" });
    expect(await mailer.knows(sent.messageId)).toBe(false);
  });

  it("lists emails newest first, up to a limit", async () => {
    const { mailer, clock, listRows } = createTestOutbox();
    for (const subject of ["one", "two", "three"]) {
      await mailer.send(createEmail({ subject }));
      clock.now += 1;
    }
    expect(await listRows(2)).toMatchObject([{ subject: "three" }, { subject: "two" }]);
  });

  // C50
  it("touches no file outside its folder, whatever a row names", async () => {
    const { mailer, folder } = createTestOutbox();
    const outbox = createOutbox({ database, folder });
    const secret = join(place.environment.DATA_DIR, "secret");
    await writeFile(secret, "secret");
    const email = createEmail({ messageId: "<evil@frontdesk.test>" });
    await outbox.insert({
      id: "evil",
      message_id: email.messageId,
      to_address: email.to.address,
      subject: "",
      file: "../secret",
      created_at: TODAY,
    });
    expect(await outbox.read("evil")).toBeUndefined();
    expect(await mailer.send(email)).toMatchObject({ kind: "unreachable" });
    await outbox.eraseAllTo(email.to.address);
    expect(await readFile(secret, "utf8")).toBe("secret");
    expect(await outbox.findByMessageId(email.messageId)).toBeUndefined();
  });
});
