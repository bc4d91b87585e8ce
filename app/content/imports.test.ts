import { expect, it } from "vitest";
import { importMessages } from "./imports";

const { page } = importMessages;

it("counts the people whom an undo has still to look at", () => {
  expect(page.undoing(5, 2)).toBe("Undoing. 3 people left.");
  // Addresses alone, or those who stay alone.
  expect(page.undoing(0, 0)).toBe("Undoing.");
  expect(page.undoing(2, 2)).toBe("Undoing.");
});
