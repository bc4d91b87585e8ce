import { beforeEach, expect, it } from "vitest";
import { createToastQueue } from "./toast-queue";

let queue: ReturnType<typeof createToastQueue>;
beforeEach(() => void (queue = createToastQueue()));

it("shows each kind as long as the specification says (section 9)", () => {
  for (const kind of ["blank", "error", "custom", "success", "loading"] as const)
    queue.show({ kind, text: kind });
  const shown = Object.fromEntries(queue.list().map(({ kind, shownMs }) => [kind, shownMs]));
  expect(shown).toEqual({ blank: 4000, error: 4000, custom: 4000, success: 2000, loading: Infinity });
});

it("shows a message as long as it asks for, or until it is dismissed", () => {
  queue.show({ kind: "success", text: "a while", shown: 3000 });
  const id = queue.show({ kind: "custom", text: "for ever", shown: "until-dismissed" });
  expect(queue.list().map(({ shownMs, persists }) => [shownMs, persists])).toEqual([
    [Infinity, true],
    [3000, false],
  ]);
  queue.dismiss(id);
  expect(queue.list().map(({ text }) => text)).toEqual(["a while"]);
});

it("holds at most twenty, newest first, and lets the oldest go", () => {
  for (let count = 1; count <= 21; count += 1) queue.show({ kind: "blank", text: String(count) });
  expect(queue.list()).toHaveLength(20);
  expect(queue.list()[0]?.text).toBe("21");
  expect(queue.list().at(-1)?.text).toBe("2");
});

it("replaces the message with the same id", () => {
  const id = queue.show({ kind: "loading", text: "Sending" });
  queue.show({ kind: "blank", text: "Something else" });
  queue.show({ id, kind: "success", text: "Sent" });
  expect(queue.list().map(({ text }) => text)).toEqual(["Something else", "Sent"]);
});

it("notifies its watchers, and says whether there are any", () => {
  let notifications = 0;
  expect(queue.isWatched()).toBe(false);
  const leave = queue.watch(() => (notifications += 1));
  expect(queue.isWatched()).toBe(true);
  queue.show({ kind: "blank", text: "one" });
  leave();
  queue.show({ kind: "blank", text: "two" });
  expect(notifications).toBe(1);
  expect(queue.isWatched()).toBe(false);
});
