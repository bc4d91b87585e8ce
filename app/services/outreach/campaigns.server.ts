import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { CampaignsTable } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import { hasOpenJobs } from "~/services/queue/groups.server";
import type { Dialect } from "~/services/queue/leases.server";
import { isPlanned } from "./plan";
import type { MessageContent } from "./sending-options";

export type Campaign = Selectable<CampaignsTable>;

/** The campaign, held until the transaction ends, so that two decisions about it are made one after the other. */
export async function lockCampaign(trx: Write, dialect: Dialect, id: string): Promise<Campaign | undefined> {
  if (!isUuid(id)) return undefined;
  return trx
    .selectFrom("sends")
    .selectAll()
    .where("id", "=", id)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
}

const OPEN_COLUMNS = [
  "id",
  "state",
  "audience",
  "prepared_through",
  "audience_through",
  "audience_position",
  "resume_at",
  "waits_for",
  "when_missed",
  "latest_answers",
  "trouble",
] as const;
export type OpenCampaign = Pick<Campaign, (typeof OPEN_COLUMNS)[number]>;

/** The campaigns there is something to do for, oldest first; a cancelled one until all its rows are settled. */
export function openCampaigns(read: Read): Promise<OpenCampaign[]> {
  return read
    .selectFrom("sends")
    .select(OPEN_COLUMNS)
    .where("state", "in", ["preparing", "sending", "cancelled"])
    .where("finished_at", "is", null)
    .orderBy("id")
    .execute();
}

/** Whether an operator took the draft out of the lists; saving or restoring it makes it a draft again. */
export function isDiscarded({ state, finished_at }: Campaign): boolean {
  return state === "draft" && finished_at !== null;
}

/** Counts the confirmed campaigns that are not finished: those that go on, and those that wait for a person. */
export async function countUnderWay(read: Read): Promise<{ active: number; paused: number }> {
  const rows = await read
    .selectFrom("sends")
    .select("state")
    .where("state", "in", [...UNDER_WAY])
    .execute();
  const paused = rows.filter(({ state }) => state === "paused").length;
  return { active: rows.length - paused, paused };
}

const UNDER_WAY = ["preparing", "sending", "paused"] as const;

/** Whether nothing is due for it before a time that is yet to come. */
export function isAsleep({ state, resume_at }: OpenCampaign, now: number): boolean {
  return state === "sending" && resume_at > now;
}

/** Whether its mails may go, also while its audience is still being copied: a million would wait for minutes. */
export function mayGoOut(campaign: OpenCampaign, now: number): boolean {
  const isMoving = campaign.state === "preparing" || campaign.state === "sending";
  return isMoving && !isPlanned(campaign) && campaign.resume_at <= now;
}

/** Whether emails of the campaign are waiting or in flight. Uncertain ones wait for an admin and do not count. */
export function hasOpenRows(read: Read, id: string): Promise<boolean> {
  return hasOpenJobs(read, { table: "deliveries", column: "send_id", id });
}

export async function finishIfSettled(
  trx: Write,
  dialect: Dialect,
  campaignId: string,
  now: number,
): Promise<void> {
  const campaign = await lockCampaign(trx, dialect, campaignId);
  if (campaign?.state !== "sending" || (await hasOpenRows(trx, campaignId))) return;
  await trx
    .updateTable("sends")
    .set({ state: "finished", finished_at: now, trouble: "" })
    .where("id", "=", campaignId)
    .execute();
}

/** Returns the content of the rows' campaigns, from `known` where it has it: it does not change once confirmed. */
export async function loadMessages(
  read: Read,
  known: ReadonlyMap<string, MessageContent>,
  rows: readonly { readonly send_id: string }[],
): Promise<Map<string, MessageContent>> {
  const ids = [...new Set(rows.map((row) => row.send_id))];
  if (ids.every((id) => known.has(id))) return new Map(known);
  const campaigns = read.selectFrom("sends").select(["id", "title", "message"]).where("id", "in", ids);
  return new Map((await campaigns.execute()).map(({ id, ...content }) => [id, content]));
}
