import { describe, expect, it } from "vitest";
import { readImportLine } from "./import-line";

const NOW = Date.UTC(2026, 10, 28);

const reading = {
  encoding: "utf-8",
  headers: ["Email", "Unsubscribed at", "Newsletter"],
  mapping: { email: 0, unsubscribed_at: 1, consent: 2 },
  kind: "early-access",
  consent: "The form said so.",
  dateOrder: "",
} as const;

const read = (unsubscribedAt: string, consent = "") =>
  readImportLine(["ada@example.com", unsubscribedAt, consent], reading, NOW);

describe("readImportLine", () => {
  it.each(["", "-", "no", "N", "f", "off", "NULL", "N/A", "\\N", "nan", "0000-00-00", "0000-00-00 00:00:00"])(
    "takes %j for no time of an opt-out",
    (cell) => expect(read(cell).kind).toBe("person"),
  );

  it.each([
    ["2026-03-04", "unsubscribed 2026-03-04"],
    ["yes", "unsubscribed"],
    ["t", "unsubscribed"],
  ])("takes %j for an opt-out", (cell, detail) => {
    expect(read(cell)).toMatchObject({ kind: "stop", detail, isOptOut: true });
  });

  it.each([
    ["bounced", "", false],
    ["bounced", "no", false],
    ["bounced", "2026-03-04", true],
    ["unsubscribed", "", true],
    ["cancelled", "", true],
    ["Junk", "", true],
  ])("takes the status %j with the time %j of an opt-out for one: %j", (status, unsubscribedAt, isOptOut) => {
    const mapping = { email: 0, unsubscribed_at: 1, status: 2 };
    const line = readImportLine(["ada@example.com", unsubscribedAt, status], { ...reading, mapping }, NOW);
    expect(line).toMatchObject({ kind: "stop", detail: status, isOptOut });
  });

  it.each(["Pending", "Never subscribed", "NEVER_SUBSCRIBED"])(
    "takes the status %j for an address that nobody confirmed",
    (status) => {
      const mapping = { email: 0, status: 2 };
      const line = readImportLine(["ada@example.com", "", status], { ...reading, mapping }, NOW);
      expect(line).toMatchObject({ kind: "invalid", reason: "unconfirmed" });
    },
  );

  it("takes the time at which Mailchimp cleaned an address for a bounce", () => {
    const headers = ["Email", "CLEAN_TIME", "Newsletter"];
    const line = readImportLine(["ada@example.com", "2026-03-04", ""], { ...reading, headers }, NOW);
    expect(line).toMatchObject({ kind: "stop", detail: "bounced 2026-03-04", isOptOut: false });
  });

  it.each([
    ["", "The form said so."],
    ["yes", "Newsletter: yes"],
    ["t", "Newsletter: t"],
    ["Sign me up", "Sign me up"],
  ])("takes %j for the consent %j", (cell, consent) => expect(read("", cell)).toMatchObject({ consent }));

  it.each(["=", "+", "-", "@", "＝", "＋", "－", "＠"])("takes the mark of our own files off %j", (first) => {
    expect(read("", `'${first}1 Design`)).toMatchObject({ consent: `${first}1 Design` });
  });

  it.each(["no", "N", "f", "off", "false", "nan"])("takes %j for no consent", (cell) => {
    expect(read("", cell)).toMatchObject({ kind: "invalid", reason: "no-consent" });
  });
});
