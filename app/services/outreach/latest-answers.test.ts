import { expect, it } from "vitest";
import type { DeliveryResult } from "~/services/mail/delivery/delivery-result";
import { addAnswers, countRefusals, isRefusedByNearlyAll } from "./latest-answers";

const accepted: DeliveryResult = { state: "sent", detail: "250 ok", server: "answers" };
const refused: DeliveryResult = { state: "failed", detail: "550 no", server: "refuses" };
const deferred: DeliveryResult = { state: "retrying", detail: "451 later", server: "answers" };
const refusals = (count: number) => Array.from({ length: count }, () => refused);

it("writes a letter for each answer that decides, the newest last", () => {
  expect(addAnswers("", [accepted, accepted, refused, deferred, accepted])).toBe("AARA");
  expect(addAnswers("AR", [refused])).toBe("ARR");
});

it("keeps the latest 25", () => {
  const full = addAnswers("A", refusals(25));
  expect(full).toBe("R".repeat(25));
  expect(addAnswers(full, [accepted])).toBe(`${"R".repeat(24)}A`);
});

it("counts 20 refusals as nearly all", () => {
  expect(countRefusals(addAnswers("", [accepted, ...refusals(19)]))).toBe(19);
  expect(isRefusedByNearlyAll(addAnswers("", refusals(19)))).toBe(false);
  expect(isRefusedByNearlyAll(addAnswers("", [accepted, ...refusals(20)]))).toBe(true);
});
