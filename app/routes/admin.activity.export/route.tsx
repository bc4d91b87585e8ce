import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { getActionName, outcomes, formatSentence } from "~/content/activity-sentences";
import { csvDownload } from "~/http/csv-download.server";
import { describeFilterInWords, linkTo } from "~/http/list-state";
import { activityList } from "~/http/lists/activity-list";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import type { ActivityEntry } from "~/services/audit/activity.server";
import { access, activity } from "~/services/container.server";

const COLUMNS: Record<string, (entry: ActivityEntry) => string> = {
  "Time (UTC)": ({ at }) => new Date(at).toISOString(),
  Who: ({ actor }) => actor,
  "What happened": formatSentence,
  Action: ({ action }) => getActionName(action),
  Subject: ({ subjectTitle, subject }) => subjectTitle ?? subject,
  Outcome: ({ outcome }) => outcomes[outcome],
  Network: ({ network }) => network,
  Request: ({ requestId }) => requestId,
  "Content (SHA-256)": ({ contentHash }) => contentHash,
};

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(linkTo(paths.activity, activityList.read(new URL(request.url).searchParams).values));
}

/** Exports all entries under the page's filter, newest first, and records the export before. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const read = activityList.read(new URL(request.url).searchParams, operator.timeZone);
  // The page shows the filter's errors.
  if (!read.ok) return seeOther(linkTo(paths.activity, read.values));
  const names = { who: "who", action: "action", outcome: "outcome", from: "from", to: "to" };
  const options = { typed: ["who", "action"], timeZone: operator.timeZone };
  const scope = describeFilterInWords(read.values, names, options) || "everything";
  await activity.recordExport("export-activity", scope, getActor(request, operator));
  const name = `activity-${utcDay(Date.now())}.csv`;
  return csvDownload(request, name, COLUMNS, activity.batches(read.filter));
}
