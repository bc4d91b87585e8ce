import { describe, expect, test } from "vitest";
import { Room, type Standing, standingOf } from "./room.ts";

/** How many of each standing still get in, one after the other, until nobody does. */
function fill(room: Room, ...order: Standing[]): number[] {
  return order.map((standing) => {
    let admitted = 0;
    while (room.enter(standing)) admitted += 1;
    return admitted;
  });
}

describe("when it gets full (R15)", () => {
  test("pages are sent away first, then forms, operators last", () => {
    expect(fill(new Room(() => 0), "page", "form", "operator", "page")).toEqual([100, 50, 50, 0]);
  });

  test("a loop that is late for long leaves a tenth of the room", () => {
    let delay = 201;
    const room = new Room(() => delay);
    expect(fill(room, "page", "form", "operator")).toEqual([10, 5, 5]);
    delay = 200;
    expect(fill(room, "page")).toEqual([80]);
  });

  test("who leaves makes room for one, also when he leaves twice", () => {
    const room = new Room(() => 0);
    const leave = room.enter("page");
    fill(room, "page");
    leave?.();
    leave?.();
    expect(fill(room, "page")).toEqual([1]);
  });
});

test.each([
  ["GET", "/early-access", false, "page"],
  ["GET", "/early-access.data", false, "page"],
  ["HEAD", "/", false, "page"],
  ["GET", "/administration", false, "page"],
  ["POST", "/early-access", false, "form"],
  ["POST", "/unsubscribe/x.y", false, "form"],
  ["GET", "/early-access", true, "operator"],
  ["GET", "/admin", false, "operator"],
  ["GET", "/admin/dashboard.data", false, "operator"],
  ["POST", "/login", false, "operator"],
  ["POST", "/login.data", false, "operator"],
  ["GET", "/static/assets/root-1a2b.js", false, undefined],
  ["GET", "/favicon.ico", false, undefined],
])("%s %s, with a session: %s, counts as %s", (method, path, hasSession, standing) =>
  expect(standingOf(method, path, hasSession)).toBe(standing),
);
