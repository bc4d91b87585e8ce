import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSigned } from "./bounces.server";

const SECRET = "a secret of the tests, long enough";
const NOW = Date.UTC(2026, 10, 21, 8);
const TIME = String(NOW / 1000);
const BODY = '{"events":[]} 🚪';
const getCode = (time = TIME, body = BODY, secret = SECRET) =>
  createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
const isGood = (header: string, now = NOW, body = BODY) =>
  isSigned({ header, body: new TextEncoder().encode(body) }, SECRET, now);

describe("a signature", () => {
  it.each([
    ["as documented", `t=${TIME},v1=${getCode()}`],
    ["with spaces", `t=${TIME}, v1=${getCode()}`],
    ["in capitals", `t=${TIME},v1=${getCode().toUpperCase()}`],
    ["beside one of another secret", `t=${TIME},v1=${getCode(TIME, BODY, "another")},v1=${getCode()}`],
    ["beside an unknown scheme", `t=${TIME},v0=old,v1=${getCode()}`],
  ])("%s is accepted", (_, header) => expect(isGood(header)).toBe(true));

  it.each([
    ["that is missing", ""],
    ["of another secret", `t=${TIME},v1=${getCode(TIME, BODY, "another")}`],
    ["of another body", `t=${TIME},v1=${getCode(TIME, `${BODY} `)}`],
    ["of another time", `t=${TIME},v1=${getCode(String(NOW / 1000 - 1))}`],
    ["of the body alone", `t=${TIME},v1=${createHmac("sha256", SECRET).update(BODY).digest("hex")}`],
    ["without a time", `v1=${getCode()}`],
    ["with a time that is no number", `t=x,v1=${getCode("x")}`],
    ["with a time in milliseconds", `t=${NOW},v1=${getCode(String(NOW))}`],
    ["with the time at the end", `v1=${getCode()},t=${TIME}`],
    ["cut short", `t=${TIME},v1=${getCode().slice(0, -2)}`],
    ["with a suffix", `t=${TIME},v1=${getCode()}00`],
    ["without a code", `t=${TIME}`],
    ["of commas", ",,,"],
  ])("%s is refused", (_, header) => expect(isGood(header)).toBe(false));

  it.each([
    [0, true],
    [-300_000, true],
    [300_000, true],
    [-300_001, false],
    [300_001, false],
  ])("is %i ms from our clock: %s", (ms, good) => {
    expect(isGood(`t=${TIME},v1=${getCode()}`, NOW + ms)).toBe(good);
  });
});
