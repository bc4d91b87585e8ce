import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Read } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { ResourceIncidentsTable } from "~/db/tables/monitoring";
import type { Campaign } from "~/db/tables/outreach";
import type { AlertEvent } from "~/lib/alert-choices";
import { days } from "~/lib/durations";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { startOfUtcDay } from "~/lib/utc-day";
import { endOfZonedDay, startOfZonedDay } from "~/lib/zoned-day";
import { countOpenInquiries } from "~/services/inquiries/inquiries.server";
import { getCampaignStats, type CampaignStats } from "~/services/outreach/campaign-stats.server";
import { hasBegun } from "~/services/outreach/schedule";
import { countByPeriod } from "~/services/submissions/period-counts.server";
import { getDayBefore } from "./daily";

/** Names in an email. */
const MAX_NAMES = 3;
/** Newest inquiries among which the names are looked for. */
const MAX_SEARCHED = 50;
/** Campaigns or incidents in an email. */
const MAX_LISTED = 10;

/** Events that an email tells about: those of one page, from the first to the last. */
export interface ToldEvents {
  readonly event: AlertEvent;
  readonly subject: string;
  readonly count: number;
  readonly since: number;
  readonly until: number;
}

/** A list that an email shows the first of. */
interface Shortened<Item> {
  readonly listed: readonly Item[];
  /** Number of those that are not listed. */
  readonly others: number;
}

export interface CampaignNews extends Pick<Campaign, "id" | "title" | "state" | "hold"> {
  readonly stats: Pick<
    CampaignStats,
    "selected" | "sent" | "failed" | "skipped" | "uncertain" | "pending" | "goneSinceReview"
  >;
}

export type IncidentNews = ResourceIncidentsTable;

/** What happened, as it is now: a deleted inquiry is counted and not named. */
export interface AlertNews {
  /** `names`: as typed, the latest of them; empty ones are left out. */
  readonly inquiries: { readonly count: number; readonly names: readonly string[] } | undefined;
  readonly campaigns: Shortened<CampaignNews>;
  readonly incidents: Shortened<IncidentNews>;
}

/** Loads what an email says about events. */
export async function loadAlertNews(read: Read, events: readonly ToldEvents[]): Promise<AlertNews> {
  const ofEvent = (name: AlertEvent) => events.filter(({ event }) => event === name);
  const [inquiries] = ofEvent("inquiry");
  const [incidents] = ofEvent("incident");
  const campaigns = ofEvent("campaign").map(({ subject }) => subject);
  return {
    inquiries: inquiries && { count: inquiries.count, names: await listNames(read, inquiries) },
    campaigns: await loadCampaigns(read, campaigns),
    incidents: incidents ? await loadIncidents(read, incidents) : { listed: [], others: 0 },
  };
}

/** Lists the names of the latest inquiries that were accepted within the time. */
async function listNames(read: Read, { since, until, count }: ToldEvents): Promise<string[]> {
  const newest = await read
    .selectFrom("submissions")
    .select(["name", "created_at", "admitted_at"])
    .where("kind", "=", "contact-form")
    // Literal, not bound: the databases use the index of positions only then.
    .where(sql<boolean>`state = 'accepted' and audience_position >= 0`)
    .orderBy("audience_position", "desc")
    .orderBy("id", "desc")
    .limit(MAX_SEARCHED)
    .execute();
  return newest
    .filter(({ created_at, admitted_at }) => {
      const at = admitted_at ?? created_at;
      return since <= at && at <= until;
    })
    .slice(0, Math.min(count, MAX_NAMES))
    .map(({ name }) => name.trim())
    .filter((name) => name !== "");
}

async function loadCampaigns(read: Read, ids: readonly string[]): Promise<Shortened<CampaignNews>> {
  if (ids.length === 0) return { listed: [], others: 0 };
  const campaigns = await read
    .selectFrom("campaigns")
    .select(["id", "title", "state", "hold"])
    .where("id", "in", ids.slice(0, MAX_LISTED))
    .orderBy("id")
    .execute();
  const listed: CampaignNews[] = [];
  for (const campaign of campaigns) {
    listed.push({ ...campaign, stats: await getCampaignStats(read, campaign.id) });
  }
  return { listed, others: ids.length - campaigns.length };
}

/** Loads the incidents that began or ended within the time, and that no other email tells about. */
function loadIncidents(read: Read, { since, until }: ToldEvents): Promise<Shortened<IncidentNews>> {
  return listIncidents(
    read,
    sql<boolean>`emailed_at is null
      and (began_at between ${since} and ${until} or ended_at between ${since} and ${until})`,
  );
}

/** Lists the latest of these incidents, in the order in which they began. */
async function listIncidents(read: Read, isListed: Expression<SqlBool>): Promise<Shortened<IncidentNews>> {
  const incidents = read.selectFrom("resource_incidents").where(isListed);
  const latest = await incidents.selectAll().orderBy("id", "desc").limit(MAX_LISTED).execute();
  const count = await countRows(incidents);
  return { listed: latest.reverse(), others: count - latest.length };
}

/** Numbers of a day. */
export interface Summary {
  /** Like 2026-11-27. */
  readonly day: string;
  /** The zone whose day was counted: UTC where counting the account's own would take too long. */
  readonly timeZone: string;
  readonly submissions: Readonly<Record<SubmissionKind, number>>;
  /** Now, counted up to 1,000. */
  readonly openInquiries: number;
  /**
   * Those that were confirmed before the day ended, have begun by now, and were not over before it. The time of a start is
   * not stored, so one that began between the day and its email is among them.
   */
  readonly campaigns: Shortened<CampaignNews>;
  /** Those that began, lasted or ended on that day. */
  readonly incidents: Shortened<IncidentNews>;
}

/** Counts the deliveries of a campaign that were attempted and not skipped since. */
const countAttempted = ({ selectFrom }: ExpressionBuilder<Tables, "campaigns">) =>
  selectFrom("delivery_counts")
    .select(({ fn }) => fn.sum<number | null>("count").as("attempted"))
    .whereRef("campaign_id", "=", "campaigns.id")
    .where("state", "not in", ["pending", "skipped"]);

/** Loads the numbers of the day before. */
export async function loadSummary(
  read: Read,
  { day: today, timeZone }: { readonly day: string; readonly timeZone: string },
): Promise<Summary> {
  const day = getDayBefore(today);
  const utcMidnight = startOfUtcDay(day) ?? 0;
  const from = startOfZonedDay(day, timeZone) ?? utcMidnight;
  const until = endOfZonedDay(day, timeZone) ?? utcMidnight + days(1);
  const counted = await countByPeriod(read, [{ from, until }]);
  // Whole days of UTC are stored, and never too many.
  const [counts = []] =
    counted ?? (await countByPeriod(read, [{ from: utcMidnight, until: utcMidnight + days(1) }])) ?? [];
  const submissions = { "early-access": 0, "contact-form": 0, "updates-signup": 0 };
  SUBMISSION_KINDS.forEach((kind, at) => (submissions[kind] = counts[at] ?? 0));
  const campaigns = await read
    .selectFrom("campaigns")
    .select("id")
    .where("state", "!=", "draft")
    .where("confirmed_at", "<", until)
    .where(hasBegun)
    // Of one that was cancelled before its start or its first email, every delivery is skipped.
    .where((where) => where.or([where("state", "!=", "cancelled"), where(countAttempted(where), ">", 0)]))
    .where((where) => where.or([where("finished_at", "is", null), where("finished_at", ">=", from)]))
    .orderBy("id", "desc")
    .execute();
  return {
    day,
    timeZone: counted ? timeZone : "UTC",
    submissions,
    openInquiries: await countOpenInquiries(read),
    campaigns: await loadCampaigns(
      read,
      campaigns.map(({ id }) => id),
    ),
    incidents: await listIncidents(
      read,
      sql<boolean>`began_at < ${until} and (ended_at is null or ended_at >= ${from})`,
    ),
  };
}
