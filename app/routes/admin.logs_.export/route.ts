import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { logsMessages } from "~/content/logs";
import { fileDownload } from "~/http/file-download.server";
import { describeFilterInWords } from "~/http/list-state";
import { getLogsUrl, logsList } from "~/http/lists/logs-list";
import { seeOther } from "~/http/redirects.server";
import { getActor, logError } from "~/http/request-context.server";
import { UpstreamError } from "~/lib/upstream-error";
import { utcDay } from "~/lib/utc-day";
import { access, activity, logs } from "~/services/container.server";
import type { StoredLine } from "~/services/logs/log-store";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(getLogsUrl(logsList.read(new URL(request.url).searchParams).values));
}

/** Exports all lines under the page's filter, oldest first, like any log file. A log that is away is the page's to say. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const read = logsList.read(new URL(request.url).searchParams, operator.timeZone);
  if (!read.ok) return seeOther(getLogsUrl(read.values));
  const batches = logs.batches(read.filter);
  let first: IteratorResult<readonly StoredLine[]>;
  try {
    // Before the file begins, because a download that fails has no page.
    first = await batches.next();
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    logError(error, "the log could not be exported");
    return seeOther(getLogsUrl(read.values));
  }
  const names = {
    q: "found by",
    level: "level",
    from: "from",
    fromTime: "from time",
    to: "to",
    toTime: "to time",
  };
  const options = { typed: ["q"], timeZone: operator.timeZone };
  const scope = describeFilterInWords(read.values, names, options) || logsMessages.exportEverything;
  await activity.recordExport("export-logs", scope, getActor(request, operator));
  const file = { name: `logs-${utcDay(Date.now())}.log`, type: "text/plain; charset=utf-8" };
  return fileDownload(file, formatLines(first, batches));
}

async function* formatLines(
  first: IteratorResult<readonly StoredLine[]>,
  batches: AsyncIterator<readonly StoredLine[]>,
): AsyncGenerator<string> {
  for (let read = first; read.done !== true; read = await batches.next()) {
    yield read.value.map(({ line }) => `${line}\n`).join("");
  }
}
