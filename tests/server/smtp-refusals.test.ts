import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, startSmtpServer } from "../fakes/smtp-server";
import { getLocation, useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";
import { useServer } from "./use-server";
import { readRows } from "./visitors";

type Refusal = readonly [code: number, text: string, at?: "data"];

/** The mailbox does not exist, said in response to RCPT TO. */
const ABOUT_MAILBOX: readonly Refusal[] = [
  [550, "5.1.1 <kim@b.example>: Recipient address rejected: User unknown in virtual mailbox table"],
  [550, "5.1.1 The email account that you tried to reach does not exist"],
  [550, "sorry, no mailbox here by that name. (#5.1.1)"],
  [550, "No such user here"],
  [550, "Invalid Recipient - https://community.example/docs/policy#550"],
];

/** Our network, our sender, our message, or unclear. */
const NOT_ABOUT_MAILBOX: readonly Refusal[] = [
  [550, "relay not permitted"],
  [554, "5.7.1 <kim@b.example>: Relay access denied"],
  [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  [550, "Your network 192.0.2.7 is on a block list"],
  [554, "5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.list.example"],
  [550, "SPF check failed: 192.0.2.7 is not allowed to send for a.example"],
  [550, "Sender verify failed"],
  [550, "5.1.0 <us@a.example>: Sender address rejected: User unknown in local recipient table"],
  [550, "5.4.1 Recipient address rejected: Access denied. AS(201806281)"],
  [550, "Requested action not taken: mailbox unavailable"],
  [552, "5.2.2 Mailbox full"],
  [550, "Local CT IP Reputation Policy"],
  [550, "5.7.26 This message has been blocked because the sender is unauthenticated", "data"],
  [550, "permanent failure for one or more recipients (kim@b.example:blocked)", "data"],
  [550, "5.1.1 User unknown", "data"],
];

const refusals = [...ABOUT_MAILBOX, ...NOT_ABOUT_MAILBOX];
const answers = new Map<string, Answer>(
  refusals.map(([code, text, at], index) => [`r${index}@example.com`, { code, text, ...(at && { at }) }]),
);
const smtp = await startSmtpServer({ answer: (address) => answers.get(address) ?? "ok" });
const screens = useOutreachScreens(useServer(smtp.environment));
afterAll(() => smtp.close());

let page: string;
const listSuppressed = () =>
  readRows(screens.server, "select address from suppressions order by address").map(({ address }) => address);

beforeAll(async () => {
  // One good address beside each, because a campaign that is refused nearly everywhere pauses.
  for (const address of answers.keys()) {
    await screens.signUp(address);
    await screens.signUp(`good-${address}`);
  }
  const campaign = await screens.createDraft();
  page = `/admin/outreach/${campaign}`;
  await screens.confirm(campaign);
  await screens.waitForState(campaign, "finished");
});

describe("a campaign that twenty servers refuse", () => {
  // R41
  it("fails twenty recipients and suppresses those without a mailbox", async () => {
    const html = await screens.read(`${page}?state=failed`);
    for (const address of answers.keys()) expect(html).toContain(address);
    expect(listSuppressed()).toEqual(ABOUT_MAILBOX.map((_, index) => `r${index}@example.com`));
    expect(html).toContain("5 addresses are on the suppression list because of this campaign");
  });

  // R41
  it("releases what it suppressed, with a reason, after a question", async () => {
    const question = `${page}?step=release`;
    const asked = await screens.read(question);
    expect(asked).toContain("Release 5 addresses?");
    expect(asked).toContain("They get emails again, and Retry failed includes those whose email failed.");
    const html = await readText(screens.post(question, { intent: "release", because: " " }), 422);
    expect(html).toContain("Please enter a reason.");
    expect(listSuppressed()).toHaveLength(5);

    const fields = { intent: "release", because: "our relay lost its directory" };
    const locations = [await screens.post(page, fields), await screens.post(page, fields)].map(getLocation);
    expect(locations).toEqual([
      `${page}?notice=campaign-suppressions-released`,
      `${page}?notice=suppressions-gone`,
    ]);
    expect(await screens.read(locations[0] ?? "")).toContain("Released. They get emails again.");
    expect(listSuppressed()).toEqual([]);
    const [entry] = readRows(screens.server, "select action, subject from audit order by id desc limit 1");
    expect(entry).toEqual({
      action: "release-campaign-suppressions",
      subject: expect.stringMatching(/^5 addresses of the campaign [\w-]+ \(our relay lost its directory\)$/),
    });
    expect(await screens.read(page)).not.toContain("are on the suppression list");
  });
});
