import { explainHold } from "~/content/campaign-hold";
import { anyText, listState, oneOf, toPage } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { cleanText } from "~/lib/clean-text";
import { emailKey } from "~/lib/email-address";
import { formatZonedMinute, formatZonedTime, UTC } from "~/lib/zoned-time";
import { paths } from "~/paths";
import { appearanceCookie, emailPreviews, outreach, people, suppressions } from "~/services/container.server";
import type { DeliveryFilter } from "~/services/outreach/campaign-stats.server";
import { DELIVERY_STATES } from "~/services/outreach/delivery-result";
import { getPlannedTime } from "~/services/outreach/schedule";
import { isRunning } from "~/services/queue/is-running";
import { getClocks } from "../admin.dashboard/read-schedule";

const ROWS = 50;
const STEPS = ["cancel", "send-now", "reschedule", "release"] as const;
const MAX_PREFIX_LENGTH = 254;
const cut = (typed: string) => cleanText(typed)?.slice(0, MAX_PREFIX_LENGTH) ?? "";

/** Filters by state, by reason and by the start of the address. */
export const deliveriesList = listState(
  {
    state: oneOf(DELIVERY_STATES),
    reason: { ...anyText, clean: cut },
    q: { ...anyText, clean: (typed: string) => emailKey(cut(typed)) },
  },
  ({ state, reason, q }): DeliveryFilter => ({ state, reason, prefix: q }),
);

/**
 * Builds the page from its URL: `?state=`, `&reason=` and `&q=` filter the recipients, `&after=` is the page after
 * that id, `&step=` asks a question. @throws a redirect when there is no such campaign.
 */
export async function getCampaignView(id: string, request: Request) {
  const campaign = await outreach.findCampaign(id);
  if (!campaign || campaign.state === "draft") throw seeOther(paths.dashboard);
  const { title, audience, created_by: createdBy } = campaign;
  const { searchParams } = new URL(request.url);
  const { values, filter } = deliveriesList.readLoosely(searchParams);
  const after = searchParams.get("after") ?? undefined;
  const [stats, waiting, email, found, failures] = await Promise.all([
    outreach.getStats(campaign.id),
    outreach.getHoldReason(campaign),
    emailPreviews.previewText(campaign.id),
    outreach.listDeliveries(campaign.id, { ...filter, after, limit: ROWS + 1 }),
    outreach.getFailureReasons(campaign.id),
  ]);
  const { timeZone } = await appearanceCookie.read(request);
  const zone = timeZone || UTC;
  const now = Date.now();
  const step = STEPS.find((known) => known === searchParams.get("step"));
  const planned = getPlannedTime(waiting);
  const { rows, older } = toPage(found, ROWS);
  // Not while it is refreshed every second: there may be thousands.
  const suppressed =
    isRunning(stats) && step !== "release" ? 0 : await suppressions.countOfCampaign(campaign.id);
  const persons = await people.findIds(rows.map(({ address }) => address));
  return {
    page: paths.outreachCampaign(campaign.id),
    campaign: { id: campaign.id, title, audience, createdBy },
    stats,
    email,
    waiting,
    hold: waiting && explainHold(waiting, { now, timeZone: zone }),
    /** The planned time, formatted. */
    planned: planned === undefined ? undefined : formatZonedTime(planned, zone),
    rescheduling:
      planned === undefined || step !== "reschedule"
        ? undefined
        : {
            clocks: getClocks(timeZone),
            values: {
              beginAt: formatZonedMinute(planned, zone),
              timeZone: zone,
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
    older,
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
