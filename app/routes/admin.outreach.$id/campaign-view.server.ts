import { explainHold } from "~/content/campaign-hold";
import { readFrom, toRow } from "~/http/list-detail";
import { readPage, readPlace } from "~/http/list-state";
import { deliveriesList } from "~/http/lists/deliveries-list";
import { seeOther } from "~/http/redirects.server";
import { getClocks } from "~/http/schedule-form.server";
import { emailKey } from "~/lib/email-address";
import { zonedMinute } from "~/lib/format-time";
import { formatZonedMinute } from "~/lib/zoned-time";
import { paths } from "~/paths";
import { emailPreviews, outreach, people, suppressions } from "~/services/container.server";
import { getPlannedTime } from "~/services/outreach/schedule";
import { isRunning } from "~/services/queue/life-cycle";
import type { SignedIn } from "~/services/sessions/sessions.server";

const ROWS = 50;
const STEPS = ["cancel", "send-now", "reschedule", "release"] as const;

/**
 * Builds the page from its URL: `?state=`, `&reason=` and `&q=` filter the recipients, `&before=` and `&after=`
 * are pages, `&step=` asks a question. @throws a redirect when there is no such campaign.
 */
export async function getCampaignView(
  id: string,
  request: Request,
  { timeZone }: Pick<SignedIn, "timeZone">,
) {
  const campaign = await outreach.findCampaign(id);
  if (!campaign || campaign.state === "draft") throw seeOther(paths.dashboard);
  const { title, audience, created_by: createdBy } = campaign;
  const { searchParams } = new URL(request.url);
  const from = readFrom(request);
  const { values, filter } = deliveriesList.readLoosely(searchParams);
  const [stats, waiting, email, page, failures] = await Promise.all([
    outreach.getStats(campaign.id),
    outreach.getHoldReason(campaign),
    emailPreviews.previewText(campaign.id),
    readPage(
      readPlace(searchParams),
      ROWS,
      (page) => outreach.listDeliveries(campaign.id, { ...filter, ...page }),
      "asc",
    ),
    outreach.getFailureReasons(campaign.id),
  ]);
  const now = Date.now();
  const step = STEPS.find((known) => known === searchParams.get("step"));
  const planned = getPlannedTime(waiting);
  const { rows, isFirst, previous, next } = page;
  // Not while it is refreshed every second: there may be thousands.
  const suppressed =
    isRunning(stats) && step !== "release" ? 0 : await suppressions.countOfCampaign(campaign.id);
  const persons = await people.findIds(rows.map(({ address }) => address));
  return {
    page: toRow(paths.outreachCampaign(campaign.id), from),
    from,
    campaign: { id: campaign.id, title, audience, createdBy },
    stats,
    email,
    waiting,
    hold: waiting && explainHold(waiting, { now, timeZone }),
    /** The planned time, formatted. */
    planned: planned === undefined ? undefined : zonedMinute(planned, timeZone),
    rescheduling:
      planned === undefined || step !== "reschedule"
        ? undefined
        : {
            clocks: getClocks(timeZone),
            values: {
              beginAt: formatZonedMinute(planned, timeZone),
              timeZone,
              whenMissed: campaign.when_missed,
            },
          },
    now,
    values,
    filter,
    failures,
    /** Addresses on the suppression list because of this campaign; 0 while it is running. */
    suppressed,
    /** `person`: the id of one of their submissions. */
    rows: rows.map((row) => ({ ...row, person: persons.get(emailKey(row.address)) })),
    pages: { isFirst, previous, next },
    retried: readRetried(searchParams),
    step,
  };
}

export type CampaignView = Awaited<ReturnType<typeof getCampaignView>>;

/** Reads the result of Retry failed; undefined when the URL has none. */
function readRetried(search: URLSearchParams): { changed: number; suppressed: number } | undefined {
  const [changed, suppressed] = [search.get("retried"), search.get("suppressed")];
  if (!isCount(changed) || !isCount(suppressed)) return undefined;
  return { changed: Number(changed), suppressed: Number(suppressed) };
}

function isCount(value: string | null): boolean {
  return /^\d{1,9}$/.test(value ?? "");
}
