import { expect, it } from "vitest";
import { logsList } from "./filter";

const read = (level: string) => logsList.read(new URLSearchParams({ level }));

it("accepts levels in any case", () => {
  expect(read("error")).toMatchObject({ ok: true, filter: { level: "ERROR" } });
});

it("rejects an invalid level and keeps it", () => {
  expect(read("<b>")).toMatchObject({
    ok: false,
    values: { level: "<B>" },
    errors: { level: "A level is a word like ERROR." },
  });
});
