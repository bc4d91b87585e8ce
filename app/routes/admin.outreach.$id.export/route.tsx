import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { campaignStatusMessages, skipReason } from "~/content/outreach";
import { csvDownload } from "~/http/csv-download.server";
import { deliveriesList } from "~/http/lists/deliveries-list";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { access, outreach } from "~/services/container.server";
import type { Delivery } from "~/services/outreach/deliveries.server";

const COLUMNS: Record<string, (delivery: Delivery) => string | number> = {
  Address: ({ address }) => address,
  Name: ({ name }) => name,
  Status: ({ state }) => campaignStatusMessages.rowStates[state],
  Reason: ({ state, detail }) => (state === "skipped" ? skipReason(detail) : detail),
  Attempts: ({ attempts }) => attempts,
  "Updated (UTC)": ({ updated_at }) => new Date(updated_at).toISOString(),
};

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.outreachCampaign(params.id ?? ""));
}

/** Exports the recipients of a campaign under the page's filter, or all of them. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { filter } = deliveriesList.readLoosely(new URL(request.url).searchParams);
  const exported = await outreach.exportDeliveries(params.id ?? "", filter, getActor(request, operator));
  if (!exported.ok) return seeOther(paths.dashboard);
  return csvDownload(request, `recipients-${utcDay(Date.now())}.csv`, COLUMNS, exported.batches);
}
