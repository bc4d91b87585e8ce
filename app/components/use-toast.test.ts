import { beforeEach, expect, it } from "vitest";
import { dismiss, getToasts, hasToaster, subscribe, toast } from "./use-toast";

beforeEach(() => dismiss());

it("shows each kind as long as the specification says (section 9)", () => {
  toast({ description: "blank" });
  toast({ variant: "destructive", description: "error" });
  toast({ title: "custom", description: "with a title" });
  toast({ variant: "success", description: "success" });
  toast({ variant: "loading", description: "loading" });
  const shown = getToasts().map(({ title, description, duration }) => [title ?? description, duration]);
  expect(Object.fromEntries(shown)).toEqual({
    blank: 4000,
    error: 4000,
    custom: 4000,
    success: 2000,
    loading: Infinity,
  });
});

it("shows a toast as long as it asks for, or until it is dismissed", () => {
  toast({ variant: "success", description: "a while", duration: 3000 });
  const lasting = toast({ title: "for ever", duration: Infinity });
  expect(getToasts().map(({ duration }) => duration)).toEqual([Infinity, 3000]);
  lasting.dismiss();
  expect(getToasts().map(({ description }) => description)).toEqual(["a while"]);
});

it("holds at most twenty, newest first, and lets the oldest go", () => {
  for (let count = 1; count <= 21; count += 1) toast({ description: String(count) });
  expect(getToasts()).toHaveLength(20);
  expect(getToasts()[0]?.description).toBe("21");
  expect(getToasts().at(-1)?.description).toBe("2");
});

it("replaces the toast with the same id", () => {
  const sending = toast({ variant: "loading", description: "Sending" });
  toast({ description: "Something else" });
  toast({ id: sending.id, variant: "success", description: "Sent" });
  expect(getToasts().map(({ description, duration }) => [description, duration])).toEqual([
    ["Something else", 4000],
    ["Sent", 2000],
  ]);
});

it("gives each toast an id of its own", () => {
  const ids = [toast({ description: "one" }), toast({ description: "two" })].map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

it("notifies its listeners, and says whether there are any", () => {
  let notifications = 0;
  expect(hasToaster()).toBe(false);
  const leave = subscribe(() => (notifications += 1));
  expect(hasToaster()).toBe(true);
  toast({ description: "one" });
  leave();
  toast({ description: "two" });
  expect(notifications).toBe(1);
  expect(hasToaster()).toBe(false);
});
