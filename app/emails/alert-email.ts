import { alertEmailMessages as copy } from "~/content/alerts";
import type { AlertEmail } from "~/services/alerts/alert-email.server";
import type { AlertNews, CampaignNews, IncidentNews, Summary } from "~/services/alerts/alert-news.server";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import { composeTransactionalEmail } from "./compose-transactional";
import { toButton, toParagraph, type Block, type List } from "./message-tree";
import { toTypedValue } from "./typed-value";

/** Absolute URLs of the pages that alerts lead to. */
export interface AlertUrls {
  readonly inquiries: string;
  readonly campaigns: string;
  readonly campaign: (id: string) => string;
  readonly resources: string;
  readonly dashboard: string;
  readonly alerts: string;
}

interface Composed extends AlertEmail {
  readonly brandName: string;
  readonly urls: AlertUrls;
}

/**
 * Composes the email that tells an operator what happened. Anybody may send an inquiry, so that nothing of it is included
 * but the sender's name, where it is safe (hardening C42).
 */
export function composeAlertEmail({ news, isDaily, summary, urls, brandName, ...email }: Composed): Email {
  const blocks = [...toInquiries(news, urls), ...toCampaigns(news, urls), ...toIncidents(news, urls)];
  const content = isDaily
    ? {
        title: copy.dailySubject(news, summary),
        message: [
          ...(summary ? toSummary(summary, urls) : []),
          ...(blocks.length > 0 ? [toHeading(copy.since), ...blocks] : []),
        ],
        footer: copy.footer.daily,
      }
    : {
        title: copy.subject(news),
        message: [...blocks, toParagraph(copy.nothingMore(news))],
        footer: copy.footer.atOnce,
      };
  return composeTransactionalEmail(email, {
    ...content,
    brandName,
    footerLink: { label: copy.footer.change, href: urls.alerts },
  });
}

/** Composes the email with which an operator tries their alerts. */
export function composeAlertTestEmail({
  brandName,
  alertsUrl,
  ...email
}: TransactionalEmail & { brandName: string; alertsUrl: string }): Email {
  return composeTransactionalEmail(email, {
    title: copy.test.title(brandName),
    brandName,
    message: copy.test.paragraphs.map((text) => toParagraph(text)),
    footer: copy.test.footer,
    footerLink: { label: copy.footer.change, href: alertsUrl },
  });
}

function toInquiries({ inquiries }: AlertNews, urls: AlertUrls): Block[] {
  if (!inquiries) return [];
  const names = inquiries.names.map(toTypedValue).filter((name) => name !== "");
  const from = names.length > 0 ? ` ${copy.from(names, inquiries.count)}` : "";
  return [toParagraph(copy.inquiries(inquiries.count) + from), toButton(urls.inquiries, copy.openInquiries)];
}

function toCampaigns({ campaigns: { listed, others } }: AlertNews, urls: AlertUrls): Block[] {
  return [
    ...listed.flatMap((campaign) => [
      toParagraph(formatCampaign(campaign)),
      toButton(urls.campaign(campaign.id), copy.openCampaign),
    ]),
    ...(others > 0
      ? [toParagraph(copy.otherCampaigns(others)), toButton(urls.campaigns, copy.openCampaigns)]
      : []),
  ];
}

const formatCampaign = (campaign: CampaignNews) => `${copy.campaign(campaign)}\n${copy.totals(campaign)}`;

function toIncidents({ incidents }: AlertNews, urls: AlertUrls): Block[] {
  if (incidents.listed.length === 0) return [];
  return [...listIncidents(incidents), toButton(urls.resources, copy.openResources)];
}

function listIncidents({ listed, others }: AlertNews["incidents"]): Block[] {
  const lines = listed.map((incident: IncidentNews) => copy.incident(incident));
  return [toList(others > 0 ? [...lines, copy.otherIncidents(others)] : lines)];
}

function toSummary(summary: Summary, urls: AlertUrls): Block[] {
  const words = copy.summary;
  const { campaigns, incidents } = summary;
  const lines = campaigns.listed.map(formatCampaign);
  return [
    toHeading(words.title(summary)),
    toParagraph(words.submissions(summary)),
    toParagraph(words.open(summary)),
    toParagraph(words.campaigns(summary)),
    ...(lines.length > 0
      ? [toList(campaigns.others > 0 ? [...lines, copy.otherCampaigns(campaigns.others)] : lines)]
      : []),
    toParagraph(words.incidents(summary)),
    ...(incidents.listed.length > 0 ? listIncidents(incidents) : []),
    toButton(urls.dashboard, copy.openDashboard),
  ];
}

const toHeading = (text: string): Block => ({
  type: "heading",
  level: 2,
  content: [{ type: "text", text }],
});

const toList = (lines: readonly string[]): List => ({
  type: "list",
  isTight: true,
  items: lines.map((line) => [toParagraph(line)]),
});
