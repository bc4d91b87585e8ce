import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { csvDownload } from "~/http/csv-download.server";
import { campaignStatusMessages, skipReason } from "~/content/outreach";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { deliveriesList } from "~/routes/admin.outreach.$id/delivery-filter";
import { access, outreach } from "~/services/container.server";
import type { Delivery } from "~/services/outreach/campaign-stats.server";

const HEADER = ["Address", "Name", "Status", "Reason", "Attempts", "Updated (UTC)"];

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.outreachCampaign(params.id ?? ""));
}

/** Exports the recipients of a campaign under the page's filter, or all of them. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const { filter } = deliveriesList.readLoosely(new URL(request.url).searchParams);
  const exported = await outreach.exportDeliveries(params.id ?? "", filter, {
    by: person.email,
    ...getRequestOrigin(request),
  });
  if (!exported.ok) return seeOther(paths.dashboard);
  return csvDownload(request, `recipients-${filter.state ?? "all"}.csv`, HEADER, exported.batches, toLine);
}

function toLine({ address, name, state, detail, attempts, updated_at }: Delivery) {
  const words = campaignStatusMessages.rowStates[state];
  const scope = state === "skipped" ? skipReason(detail) : detail;
  return [address, name, words, scope, attempts, new Date(updated_at).toISOString()];
}
