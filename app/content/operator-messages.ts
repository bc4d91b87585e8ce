import { grouped } from "~/lib/format-number";
import { brand } from "./brand";
import { messages } from "./messages";
import { filterMessages } from "./filters";
import { logsMessages } from "./logs";
import { mirrorMessages } from "./mirrors";
import { notificationMessages } from "./notifications";
import { campaignStatusMessages, outreachMessages } from "./outreach";
import { personMessages } from "./person";
import { platformMessages } from "./platform";
import { preflightMessages } from "./preflight";
import { quarantineMessages } from "./quarantine";
import { resourceMessages } from "./resources";
import { campaignsMessages } from "./campaigns";
import { tokenMessages } from "./tokens";
import { secondFactorMessages } from "./second-factor";
import { shell } from "./shell";
import { suppressionMessages } from "./suppressions";
import { campaignStartMessages } from "./campaign-start";
import { chartMessages, submissionMessages } from "./submissions";
import { passwordMessages, userMessages } from "./users";

/** The back office's message catalogue; messages.ts has the visitors'. */
export const operatorMessages = {
  copy: { copy: "Copy", copied: "Copied" },
  shell,
  charts: chartMessages,
  filters: filterMessages,
  submissions: submissionMessages,
  logs: logsMessages,
  mirrors: mirrorMessages,
  person: personMessages,
  platform: platformMessages,
  resources: resourceMessages,
  backOffice: { title: (page: string) => `${page} · ${brand.name} back office` },
  outreach: outreachMessages,
  campaignStatus: campaignStatusMessages,
  campaigns: campaignsMessages,
  notifications: notificationMessages,
  preflight: preflightMessages,
  campaignStart: campaignStartMessages,
  quarantine: quarantineMessages,
  suppressions: suppressionMessages,
  password: passwordMessages,
  users: userMessages,
  secondFactor: secondFactorMessages,
  sessions: {
    ended: "The session was ended. That browser has to log in again.",
    over: "That session had already ended. Nothing was changed.",
    othersEnded: "All your other sessions were ended. Those browsers have to log in again.",
  },
  tokens: tokenMessages,
  table: {
    shown: (shown: number, total: number) => `${grouped(shown)} of ${grouped(total)} entries on this page`,
    more: (count: number) =>
      `${grouped(count)} more entries not shown. View on larger screen for complete data.`,
  },
} as const;

/** The sentences shown after a redirect to ?notice=<code>. */
export const notices = {
  confirmed: { kind: "success", text: messages.confirmUpdates.confirmed },
  "link-sent": { kind: "success", text: messages.confirmUpdates.newLinkSent },
  "no-user": { kind: "error", text: operatorMessages.password.noUser },
  welcome: { kind: "success", text: operatorMessages.password.welcome },
  "password-changed": { kind: "success", text: operatorMessages.password.success },
  "user-removed": { kind: "success", text: operatorMessages.users.removed },
  "user-gone": { kind: "error", text: operatorMessages.users.gone },
  "draft-saved": { kind: "success", text: operatorMessages.outreach.draftSaved },
  "draft-discarded": { kind: "success", text: operatorMessages.outreach.draftDiscarded },
  "draft-restored": { kind: "success", text: operatorMessages.outreach.draftRestored },
  "draft-gone": { kind: "error", text: operatorMessages.outreach.draftGone },
  "campaign-rescheduled": { kind: "success", text: "The scheduled time was saved." },
  "draft-copied": { kind: "success", text: operatorMessages.outreach.draftCopied },
  "test-sent": { kind: "success", text: operatorMessages.outreach.testSent },
  "content-changed": { kind: "error", text: operatorMessages.outreach.contentChanged },
  "no-recipients": { kind: "error", text: operatorMessages.outreach.noRecipients },
  "not-sendable": { kind: "error", text: operatorMessages.outreach.notSendable },
  released: { kind: "success", text: operatorMessages.quarantine.released },
  purged: { kind: "success", text: operatorMessages.quarantine.purged },
  "nothing-selected": { kind: "error", text: operatorMessages.quarantine.nothingSelected },
  "already-settled": { kind: "error", text: operatorMessages.quarantine.alreadySettled },
  "suppressions-released": { kind: "success", text: suppressionMessages.released },
  "suppressions-gone": { kind: "error", text: suppressionMessages.alreadyReleased },
  "no-suppression-selected": { kind: "error", text: suppressionMessages.nothingSelected },
  "submissions-deleted": { kind: "success", text: submissionMessages.deleted },
  "submissions-restored": { kind: "success", text: submissionMessages.restored },
  "submissions-gone": { kind: "error", text: submissionMessages.gone },
  "no-submission-selected": { kind: "error", text: submissionMessages.nothingSelected },
  "deletion-over": { kind: "error", text: submissionMessages.over },
  "person-erased": { kind: "success", text: personMessages.erased },
  "person-gone": { kind: "error", text: personMessages.gone },
  "person-email-in-progress": { kind: "error", text: personMessages.emailInProgress },
  "session-ended": { kind: "success", text: operatorMessages.sessions.ended },
  "session-over": { kind: "success", text: operatorMessages.sessions.over },
  "other-sessions-ended": { kind: "success", text: operatorMessages.sessions.othersEnded },
  "token-revoked": { kind: "success", text: operatorMessages.tokens.revoked },
  "token-gone": { kind: "error", text: operatorMessages.tokens.gone },
  "session-timeout": { kind: "info", text: "Your session has ended. Log in to continue where you were." },
  "login-over": { kind: "error", text: secondFactorMessages.atLogin.over },
  "second-factor-on": { kind: "success", text: secondFactorMessages.notices.on },
  "second-factor-off": { kind: "success", text: secondFactorMessages.notices.off },
  "second-factor-reset": { kind: "success", text: secondFactorMessages.notices.reset },
  "recovery-codes-kept": { kind: "success", text: secondFactorMessages.notices.renewed },
  "enrolment-over": { kind: "error", text: secondFactorMessages.enrolling.over },
  "test-push-sent": { kind: "success", text: notificationMessages.testSent },
  "devices-changed": { kind: "error", text: notificationMessages.changed },
  "no-devices": { kind: "error", text: notificationMessages.noneNow },
  "unknown-broadcast": { kind: "error", text: notificationMessages.unknown },
  "broadcast-not-sendable": { kind: "error", text: notificationMessages.notSendable },
  "broadcast-sent-before": { kind: "error", text: notificationMessages.already },
  "mirror-repair": { kind: "success", text: mirrorMessages.notices.repair },
  "mirror-again": { kind: "success", text: mirrorMessages.notices.again },
  "mirror-decided": { kind: "success", text: mirrorMessages.notices.decided },
  "mirror-row-gone": { kind: "error", text: mirrorMessages.notices.gone },
  "logs-deleted": { kind: "success", text: logsMessages.deleted },
  "unknown-campaign": { kind: "error", text: operatorMessages.outreach.unknownCampaign },
  "campaign-gone": { kind: "error", text: campaignStatusMessages.gone },
  "campaign-unchanged": { kind: "error", text: campaignStatusMessages.unchanged },
  "nothing-to-retry": { kind: "error", text: campaignStatusMessages.nothingToRetry },
  "nothing-uncertain": { kind: "error", text: campaignStatusMessages.nothingUncertain },
  "notification-unchanged": { kind: "error", text: notificationMessages.page.unchanged },
} as const satisfies Record<string, { kind: "success" | "error" | "info"; text: string }>;

export type NoticeCode = keyof typeof notices;
