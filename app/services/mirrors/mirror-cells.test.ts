import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { getFingerprint, parseSubmission } from "./mirror-cells.server";

const hashCells = (cells: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(cells)).digest("hex");
const row = ["2026-11-21T08:00:00.000Z", "Ada", "ada@example.com", "general"];

it("the fingerprint of a row stays the same when an empty column is added at its end", () => {
  expect(getFingerprint("contact-form", [...row, ""], true)).toBe(hashCells(row));
  expect(getFingerprint("contact-form", row, true)).toBe(hashCells(row));
  expect(getFingerprint("contact-form", [...row, "Hello"], true)).toBe(hashCells([...row, "Hello"]));
});

// R48
it("an address at a domain outside ASCII is imported in its ASCII form", () => {
  const cells = ["2026-11-21T08:00:00.000Z", "Ada", "ada@müller.example"];
  expect(parseSubmission("updates-signup", cells, 1)?.email).toBe("ada@xn--mller-kva.example");
  expect(parseSubmission("updates-signup", ["", "Ada", "adá@example.com"], 1)).toBeUndefined();
});
