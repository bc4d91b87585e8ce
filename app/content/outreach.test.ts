import { expect, it } from "vitest";
import { campaignStatusMessages, failureReason } from "./outreach";

it.each([
  ["550 5.1.1 <ada@example.com> unknown user", "No such mailbox (550 5.1.1)"],
  ["550-5.1.1 The account does not exist", "No such mailbox (550 5.1.1)"],
  ["552 5.2.2 Mailbox full", "Mailbox full (552 5.2.2)"],
  ["550 No such user <ada@example.com> here", "550 No such user … here"],
  ["451 4.7.1 Greylisted", "451 4.7.1 Greylisted"],
  ["interrupted by a crash", "interrupted by a crash"],
])("the reason of %s is %s", (detail, reason) => {
  expect(failureReason(detail)).toBe(reason);
});

it("the release of a campaign's addresses promises Retry failed only where emails failed", () => {
  const { releaseConsequence } = campaignStatusMessages;
  expect(releaseConsequence(true)).toContain("They get emails again, and Retry failed includes those whose");
  expect(releaseConsequence(false)).toContain("They get emails again. People who");
});
