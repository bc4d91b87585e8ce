import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { csvDownload } from "~/http/csv-download.server";
import { utcDay } from "~/lib/utc-day";
import { suppressionMessages } from "~/content/suppressions";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { linkTo, toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import { suppressionsList } from "~/routes/admin.suppressions/suppressions.server";
import { access, suppressions } from "~/services/container.server";
import type { SuppressedAddress } from "~/services/suppressions/suppression-list.server";

const HEADER = ["Address", "Why", "Detail", "Opted out", "Send", "Time (UTC)"];

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(
    linkTo(paths.suppressions, suppressionsList.readLoosely(new URL(request.url).searchParams).values),
  );
}

/** Exports all addresses under the page's filter, newest first; Add addresses can import the file. */
export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const { values, filter } = suppressionsList.readLoosely(new URL(request.url).searchParams);
  const scope = toSearch(values) || "everything";
  await suppressions.recordExport(scope, { by: person.email, ...getRequestOrigin(request) });
  return csvDownload(
    request,
    `suppressions-${utcDay(Date.now())}.csv`,
    HEADER,
    suppressions.readBatches(filter),
    toLine,
  );
}

function toLine({ address, reason, detail, optedOut, campaign, at }: SuppressedAddress): string[] {
  const reasonLabel = suppressionMessages.reasons[reason];
  return [
    address,
    reasonLabel,
    detail,
    optedOut ? "yes" : "no",
    campaign?.title ?? "",
    new Date(at).toISOString(),
  ];
}
