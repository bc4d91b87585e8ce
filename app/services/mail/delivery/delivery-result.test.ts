import { describe, expect, it } from "vitest";
import { recoveredResult, skipped } from "./delivery-result";

it("a skipped email uses up no attempt", () => {
  expect(skipped("unsubscribed")).toEqual({ state: "skipped", detail: "unsubscribed", isUntried: true });
});

describe("an email in flight at a crash", () => {
  const now = 1_000_000;
  const row = (attempts: number, resent_after_crash: 0 | 1 = 0) => ({
    attempts,
    resent_after_crash,
    detail: "",
  });
  const detail = "interrupted by a crash";

  it("is sent again until its attempts are used up", () => {
    const notHandedOver = { known: false, mayResend: false, now };
    expect(recoveredResult(row(5), notHandedOver)).toEqual({ state: "retrying", detail, notBefore: now });
    expect(recoveredResult(row(6), notHandedOver)).toEqual({ state: "uncertain", detail, notBefore: now });
  });

  // R32
  it("that may have arrived is sent again once, where that is allowed", () => {
    const may = { known: undefined, mayResend: true, now };
    expect(recoveredResult(row(1), may)).toMatchObject({ state: "retrying", isResend: true });
    expect(recoveredResult(row(1, 1), may)).toMatchObject({ state: "uncertain" });
    expect(recoveredResult(row(1), { ...may, mayResend: false })).toMatchObject({ state: "uncertain" });
  });

  it("that was handed over is sent", () => {
    expect(recoveredResult(row(1), { known: true, mayResend: false, now })).toMatchObject({ state: "sent" });
  });
});
