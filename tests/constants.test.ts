import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { brand } from "~/content/brand";
import { bytesToGigabytes, bytesToMegabytes } from "~/lib/sizes";
import { outreachMessages } from "~/content/outreach";
import { MEETING_CAPACITY } from "~/services/resources/usage";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Constants of section 9 of the specification that no test of a screen or a rule checks. */
it.each<[string, unknown, unknown]>([
  ["a gigabyte is 1073741824 bytes", bytesToGigabytes(1_073_741_824), 1],
  ["a megabyte is 1048576 bytes", bytesToMegabytes(1_048_576), 1],
  ["the default sender label is the team", brand.senderLabel, `The ${brand.name} team`],
  ["a test email's default subject", outreachMessages.defaultTestSubject, `Test Email from ${brand.name}`],
  ["the copyright is of 2025", brand.copyrightYear, 2025],
  ["meetings have a capacity of 15", MEETING_CAPACITY, 15],
  ["the recipient groups", [...SUBMISSION_KINDS], ["early-access", "contact-form", "updates-signup"]],
])("%s", (_, said, specified) => {
  expect(said).toEqual(specified);
});

it("the breakpoints are 0, 600, 900, 1200 and 1536", () => {
  const theme = readFileSync("app/theme.css", "utf8");
  const widths = [...theme.matchAll(/--breakpoint-\w+: (\d+)px/g)].map((match) => Number(match[1]));
  expect([0, ...widths]).toEqual([0, 600, 900, 1200, 1536]);
});
