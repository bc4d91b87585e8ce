import { expect, it } from "vitest";
import { refusesRecipient } from "./delivery-result";

it.each<[boolean, number, string]>([
  [true, 550, "550 no such user"],
  [true, 551, "551 user not local"],
  [true, 553, "553 mailbox name not allowed"],
  // The enhanced status decides, whatever the code.
  [true, 554, "554 5.1.1 unknown recipient"],
  [true, 550, "550 5.2.1 mailbox disabled"],
  [false, 552, "552 5.2.2 mailbox full"],
  [false, 554, "554 looks like spam"],
  [false, 550, "550 5.7.1 blocked by policy"],
  [false, 553, "553 5.1.8 sender domain unknown"],
])("whether the address is at fault is %s for a %i with the reply %s (R9)", (isAtFault, code, reply) => {
  expect(refusesRecipient(code, reply)).toBe(isAtFault);
});
