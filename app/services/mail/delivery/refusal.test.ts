import { describe, expect, it } from "vitest";
import { getRefusalSubject, refusesMailbox } from "./refusal";

const RCPT = "recipient";
const DATA = "message";

describe("a refusal", () => {
  // R41
  it.each([
    // The mailbox, at RCPT TO.
    [RCPT, "550 5.1.1 <kim@b.example>: Recipient address rejected: User unknown in virtual mailbox table"],
    [RCPT, "550-5.1.1 The email account that you tried to reach does not exist. Try checking its spelling."],
    [RCPT, "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient kim@b.example not found by address lookup"],
    [RCPT, "550 5.1.1 <spam-policy@b.example>: Recipient address rejected: b.example"],
    [RCPT, "550 sorry, no mailbox here by that name. (#5.1.1)"],
    [RCPT, "550 5.2.1 The email account that you tried to reach is disabled"],
    [RCPT, "556 5.1.10 Recipient address has null MX"],
    [RCPT, "550 5.1.2 <kim@nowhere.example>: Recipient address rejected: Domain not found"],
    [RCPT, "554 5.1.1 unknown recipient"],
    [RCPT, "550 No such user here"],
    [RCPT, "550 Invalid Recipient - https://community.blocked.example/docs/policy#550"],
    [RCPT, "550 5.1.1 User Unknown"],
    [RCPT, "550-No such person at this address 550 (kim@b.example)"],
    [RCPT, "553 mailbox unknown"],
    [RCPT, "550 User (kim@b.example) unknown"],
    [RCPT, "550 5.1.1 Recipient not found in the directory"],
    [undefined, "550 5.1.1 no such mailbox"],
  ] as const)("at %s suppresses: %s", (part, detail) => {
    expect(refusesMailbox({ part, detail })).toBe(true);
  });

  // R41
  it.each([
    // Our network, our sender, a policy: at RCPT TO.
    [RCPT, "550 relay not permitted"],
    [RCPT, "554 5.7.1 <kim@b.example>: Relay access denied"],
    [RCPT, "550 5.7.1 Unable to relay for kim@b.example"],
    [RCPT, "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    [RCPT, "550 Your network 192.0.2.7 is on a block list"],
    [RCPT, "554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.list.example"],
    [RCPT, "550 SPF check failed: 192.0.2.7 is not allowed to send for a.example"],
    [RCPT, "550 Sender verify failed"],
    [RCPT, "550-Verification failed for <us@a.example> 550-No Such User Here 550 Sender verify failed"],
    [RCPT, "550 5.1.0 <us@a.example>: Sender address rejected: User unknown in local recipient table"],
    [RCPT, "553 5.1.8 <us@a.example>... Domain of sender address does not exist"],
    [RCPT, "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)"],
    [RCPT, "550 5.7.606 Access denied, banned sending IP [192.0.2.7]"],
    [RCPT, "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)"],
    [RCPT, "550 Requested action not taken: mailbox unavailable"],
    [RCPT, "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents delivery"],
    [RCPT, "552 5.2.2 <kim@b.example>: Mailbox full"],
    [RCPT, "554 Blocked - see https://ipcheck.proof.example/?ip=192.0.2.7"],
    [RCPT, "550 Administrative prohibition - envelope blocked"],
    [RCPT, "550 Rejected by header based Anti-Spoofing policy"],
    [RCPT, "550 Local CT IP Reputation Policy"],
    [RCPT, "554 Service unavailable; Client host [192.0.2.7] blocked using Barracuda Reputation"],
    [RCPT, "550 Unrouteable address"],
    [RCPT, "553 mailbox name not allowed"],
    [RCPT, "550 Refused"],
    [RCPT, "551 user not local"],
    [RCPT, "550 from 5.1.1.7: no"],
    [RCPT, "550 5.1.1 User unknown (#5.7.1)"],
    // Our account or sender, without the word.
    [RCPT, "550 Your account does not exist"],
    [RCPT, "550 The sending account does not exist"],
    [RCPT, "550 Invalid user name or password"],
    [RCPT, "550 MAIL FROM user unknown"],
    [RCPT, "550 Return path: no such user"],
    [RCPT, "550 5.1.1 Originator user unknown"],
    // Their judgement, or a failure of theirs, with the status of a mailbox.
    [RCPT, "550 5.1.1 Rejected, listed by SURBL"],
    [RCPT, "550 5.1.1 Unsolicited bulk mail is not accepted"],
    [RCPT, "550 5.1.1 Suspicious connection"],
    [RCPT, "550 Unknown recipient: DNS failure"],
    [RCPT, "550 User not found: LDAP server unavailable"],
    // The message was judged, not the address.
    [DATA, "550-5.7.26 This message has been blocked because the sender is unauthenticated."],
    [DATA, "554 5.7.9 Message not accepted for policy reasons"],
    [DATA, "550 permanent failure for one or more recipients (kim@b.example:blocked)"],
    [DATA, "550 5.1.1 User unknown"],
    [DATA, "550 No such user"],
    [DATA, "554 looks like spam"],
    // A driver without RCPT TO.
    [undefined, "400 Invalid To header"],
    [undefined, "404 user not found"],
  ] as const)("at %s does not suppress: %s", (part, detail) => {
    expect(refusesMailbox({ part, detail })).toBe(false);
  });
});

// R41
it.each([
  ["mailbox", "smtp; 550 5.1.1 no such user"],
  ["other", "smtp; 550 5.7.1 rejected because of its content"],
  ["other", "The recipient's server blocked us"],
  ["unclear", ""],
  ["unclear", "hard bounce"],
])("a refusal is about the %s: %s", (subject, reason) => {
  expect(getRefusalSubject(reason)).toBe(subject);
});
