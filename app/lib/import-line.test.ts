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
  it.each(["", "-", "no", "NULL", "N/A", "\\N", "nan", "0000-00-00", "0000-00-00 00:00:00"])(
    "takes %j for no time of an opt-out",
    (cell) => expect(read(cell).kind).toBe("person"),
  );

  it.each([
    ["2026-03-04", "unsubscribed 2026-03-04"],
    ["yes", "unsubscribed"],
  ])("takes %j for an opt-out", (cell, detail) => {
    expect(read(cell)).toMatchObject({ kind: "stop", detail, isOptOut: true });
  });

  it.each([
    ["", "The form said so."],
    ["yes", "Newsletter: yes"],
    ["Sign me up", "Sign me up"],
  ])("takes %j for the consent %j", (cell, consent) => expect(read("", cell)).toMatchObject({ consent }));

  it.each(["no", "false", "nan"])("takes %j for no consent", (cell) => {
    expect(read("", cell)).toMatchObject({ kind: "invalid", reason: "no-consent" });
  });
});
