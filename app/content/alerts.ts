import type { AlertChoice, AlertEvent } from "~/lib/alert-choices";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { formatCount, grouped } from "~/lib/format-number";
import { utcTime } from "~/lib/format-time";
import { formatUtcDay, startOfUtcDay } from "~/lib/utc-day";
import type { AlertNews, CampaignNews, IncidentNews, Summary } from "~/services/alerts/alert-news.server";
import { resourceMessages } from "./resources";

const choices: Readonly<Record<AlertChoice, string>> = {
  off: "Off",
  "at-once": "At once",
  daily: "In the daily email",
};

export const alertMessages = {
  title: "Alerts",
  state: "What you are told about by email. Everybody chooses for themselves.",
  label: "Alerts",
  events: {
    inquiry: { name: "New inquiries", about: "How many, and the names of their senders." },
    campaign: {
      name: "Campaigns that end or stop",
      about: "One that is finished, with its totals, or that paused by itself.",
    },
    incident: {
      name: "Incidents of the server",
      about: "One that begins, and one that ends.",
    },
  } satisfies Record<AlertEvent, { name: string; about: string }>,
  choices,
  summary: {
    name: "Summary of the day before",
    about:
      "Submissions by form, open inquiries, campaigns and incidents. It comes also when nothing happened.",
  },
  hour: "Hour of the daily email",
  hourHint: (timeZone: string) => `In your time zone, ${timeZone}.`,
  changeZone: "Change time zone",
  save: "Save alerts",
  saving: "Saving...",
  notSaved: "Your alerts stay as they are",
  problems: {
    choice: "Please choose one of these.",
    hour: "Please choose an hour.",
  },
  unopened: {
    inquiry: "Nothing more until you open the inquiries.",
    campaign: "Nothing more about it until you open its page.",
    incident: "Nothing more until you open the server's resources.",
  } satisfies Record<AlertEvent, string>,
  /** Followed by a relative time. */
  told: "Told",
  openPage: {
    inquiry: "Open the inquiries",
    campaign: "Open the campaign",
    incident: "Open the server's resources",
  } satisfies Record<AlertEvent, string>,
  moreUnopened: (count: number) => `And ${formatCount(count, "more campaign")} you were told about.`,
  suppressed: (address: string) =>
    `${address} is on the suppression list, so you get no alerts. Release it there first.`,
  unreached: (state: string) => `An email of your alerts did not reach you: it was ${state}.`,
  unreachedAdvice:
    "What it was about is only in the back office. Once the cause is gone, send yourself a test: the back office says so until one is accepted.",
  suppressions: "Open Suppressions",
  outbox: "With MAIL_DRIVER=outbox emails are stored on this server and reach nobody.",
  incidentMails:
    "INCIDENT_MAILS is on: every account is emailed when an incident begins and when it ends, whatever you choose here. You are told here only of those beyond five an hour, so that no incident comes twice.",
  test: {
    title: "Try it",
    about: (address: string) => `A test goes to ${address}, through the same queue as the alerts.`,
    send: "Send me a test",
    sending: "Sending...",
    last: { test: "Last test", alert: "Last alert" },
    took: (seconds: string) => `answered after ${seconds} s`,
  },
  notes: {
    title: "How alerts work",
    items: [
      "At once means: the first event is told within seconds, and then nothing more of it until you open its page. What happened meanwhile is there.",
      "The daily email has everything since the last one. It does not come when nothing happened, unless you chose the summary.",
      "Times in emails are in UTC.",
    ],
  },
} as const;

const countOfForm: Readonly<Record<SubmissionKind, (count: number) => string>> = {
  "early-access": (count) => `${grouped(count)} for early access`,
  "contact-form": (count) => formatCount(count, "inquiry", "inquiries"),
  "updates-signup": (count) => `${grouped(count)} for updates`,
};

const inquiries = (count: number) => formatCount(count, "new inquiry", "new inquiries");
const campaigns = (count: number) => formatCount(count, "campaign");
const incidents = (count: number) => formatCount(count, "incident");

/** Sentences of the emails. */
export const alertEmailMessages = {
  test: {
    title: (brandName: string) => `Test of your alerts from ${brandName}`,
    paragraphs: [
      "This is a test that you asked for. Your alerts come from this sender, to this address.",
      "Nothing happened, and there is nothing to do.",
    ],
    footer: "You get this because you pressed “Send me a test” in the back office.",
  },
  /** "3 new inquiries, 1 campaign": the subject; of a single thing what it is. */
  subject(news: AlertNews): string {
    const counts = countNews(news);
    const [campaign] = news.campaigns.listed;
    const [incident] = news.incidents.listed;
    if (counts.length === 1 && counts[0]?.count === 1) {
      if (campaign) return `${campaignState(campaign)}: ${campaign.title}`;
      if (incident) return incidentSubject(incident);
    }
    return counts.map(({ text }) => text).join(", ");
  },
  dailySubject: (news: AlertNews, summary: Summary | undefined) =>
    [
      ...(summary ? [`Yesterday: ${formatCount(sum(summary.submissions), "submission")}`] : []),
      ...countNews(news).map(({ text }) => text),
    ].join("; "),
  inquiries: (count: number) => `${inquiries(count)}.`,
  /** @param names safe ones, as many as are named. */
  from(names: readonly string[], count: number): string {
    const others = count - names.length;
    return `From ${toSentence(others > 0 ? [...names, `${grouped(others)} more`] : names)}.`;
  },
  openInquiries: "Open the inquiries",
  campaign: (campaign: CampaignNews) => `“${campaign.title}” ${campaignSentence(campaign)}`,
  /** The totals balance: selected is the sum of the others. */
  totals({ stats }: CampaignNews): string {
    const { selected, sent, failed, skipped, uncertain, pending, goneSinceReview } = stats;
    const parts = [
      `${grouped(sent)} sent`,
      `${grouped(failed)} failed`,
      `${grouped(skipped)} skipped`,
      `${grouped(uncertain)} uncertain`,
      ...(pending > 0 ? [`${grouped(pending)} to be sent`] : []),
    ];
    const gone =
      goneSinceReview > 0
        ? ` ${formatCount(goneSinceReview, "person", "people")} left the audience before.`
        : "";
    return `${grouped(selected)} selected = ${parts.join(" + ")}.${gone}`;
  },
  openCampaign: "Open the campaign",
  otherCampaigns: (count: number) => `And ${formatCount(count, "more campaign")}.`,
  openCampaigns: "Open the campaigns",
  incident(incident: IncidentNews): string {
    const what = resourceMessages.incidents.subject(incident);
    const began = `began ${utcTime(incident.began_at)}`;
    const end = incident.ended_at === null ? "ongoing" : `ended ${utcTime(incident.ended_at)}`;
    return `On ${incident.instance}: ${what}; ${began}, ${end}.`;
  },
  otherIncidents: (count: number) => `And ${formatCount(count, "more incident")}.`,
  openResources: "See the server's resources",
  /** The only events of an email that is not daily are of one kind. */
  nothingMore: ({ inquiries, campaigns }: AlertNews) =>
    inquiries
      ? "You are told nothing more about inquiries until you open this page."
      : campaigns.listed.length > 0
        ? "You are told nothing more about a campaign until you open its page."
        : "You are told nothing more about incidents until you open this page.",
  summary: {
    title: ({ day, timeZone }: Summary) => `${formatUtcDay(startOfUtcDay(day) ?? 0)}, ${timeZone}`,
    submissions: ({ submissions }: Summary) =>
      `Submissions: ${toSentence(SUBMISSION_KINDS.map((kind) => countOfForm[kind](submissions[kind])))}.`,
    open: ({ openInquiries }: Summary) =>
      `Open inquiries now: ${openInquiries >= 1000 ? "1,000 or more" : grouped(openInquiries)}.`,
    campaigns: ({ campaigns: { listed, others } }: Summary) =>
      listed.length === 0 ? "No campaign was under way." : `${campaigns(listed.length + others)} under way:`,
    incidents: ({ incidents: { listed, others } }: Summary) =>
      listed.length === 0 ? "No incidents." : `${incidents(listed.length + others)}:`,
  },
  since: "Since your last daily email",
  openDashboard: "Open the dashboard",
  footer: {
    atOnce: "You get this because you chose to be told at once.",
    daily: "You get this because you chose a daily email.",
    change: "Change your alerts",
  },
} as const;

function countNews({ inquiries: some, campaigns: sent, incidents: bad }: AlertNews) {
  const counts = [
    { count: some?.count ?? 0, words: inquiries },
    { count: sent.listed.length + sent.others, words: campaigns },
    { count: bad.listed.length + bad.others, words: incidents },
  ];
  return counts.filter(({ count }) => count > 0).map(({ count, words }) => ({ count, text: words(count) }));
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** A campaign that was resumed or cancelled since is described as it is now. */
function campaignState({ state }: CampaignNews): string {
  if (state === "finished") return "Campaign finished";
  if (state === "paused") return "Campaign paused";
  return state === "cancelled" ? "Campaign cancelled" : "Campaign";
}

function campaignSentence({ state, hold }: CampaignNews): string {
  if (state === "finished") return "is finished.";
  if (state === "cancelled") return "was cancelled.";
  if (state !== "paused") return "is being sent.";
  switch (hold) {
    case "missed":
      return "missed its scheduled time, so it is paused until somebody sends it.";
    case "refusals":
      return "paused by itself, because nearly all of the latest emails were rejected.";
    case "login":
      return "paused by itself, because the mail server rejects our login or sender.";
    default:
      return "is paused.";
  }
}

function incidentSubject(incident: IncidentNews): string {
  const { began, ended } = resourceMessages.email;
  return incident.ended_at === null ? began(incident) : ended(incident);
}

/** "Ada, Grace and 3 more" */
function toSentence(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
