import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { getActionName, outcomes, formatSentence } from "~/content/activity-sentences";
import { csvDownload } from "~/http/csv-download.server";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { linkTo, toSearch } from "~/http/list-state";
import { activityList } from "~/routes/admin.activity/filter";
import { access, activity } from "~/services/container.server";
import type { ActivityEntry } from "~/services/audit/activity.server";

const HEADER = [
  "Time (UTC)",
  "Who",
  "What happened",
  "Action",
  "Subject",
  "Outcome",
  "Network",
  "Request",
  "Content (SHA-256)",
];

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(linkTo(paths.activity, activityList.read(new URL(request.url).searchParams).values));
}

/** Exports all entries under the page's filter, newest first; the first one is this export. */
export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const read = activityList.read(new URL(request.url).searchParams);
  // The page shows the filter's errors.
  if (!read.ok) return seeOther(linkTo(paths.activity, read.values));
  const scope = toSearch(read.values) || "everything";
  await activity.recordExport(scope, { by: person.email, ...getRequestOrigin(request) });
  const name = `activity-${utcDay(Date.now())}.csv`;
  return csvDownload(request, name, HEADER, activity.batches(read.filter), toLine);
}

function toLine(entry: ActivityEntry): string[] {
  const { at, actor, action: kind, subject, campaignTitle, outcome, network, requestId, contentHash } = entry;
  return [
    new Date(at).toISOString(),
    actor,
    formatSentence(entry),
    getActionName(kind),
    campaignTitle ?? subject,
    outcomes[outcome],
    network,
    requestId,
    contentHash,
  ];
}
