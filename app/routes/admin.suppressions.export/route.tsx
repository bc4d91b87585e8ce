import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { suppressionMessages } from "~/content/suppressions";
import { csvDownload } from "~/http/csv-download.server";
import { describeFilterInWords, linkTo } from "~/http/list-state";
import { suppressionsList } from "~/http/lists/suppressions-list";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { OPTED_OUT } from "~/lib/address-list";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { access, activity, suppressions } from "~/services/container.server";
import type { SuppressedAddress } from "~/services/suppressions/suppression-list.server";

const COLUMNS: Record<string, (row: SuppressedAddress) => string> = {
  Address: ({ address }) => address,
  Reason: ({ reason }) => suppressionMessages.reasons[reason],
  Detail: ({ detail }) => detail,
  [OPTED_OUT]: ({ optedOut }) => (optedOut ? "yes" : "no"),
  Campaign: ({ campaign }) => campaign?.title ?? "",
  "Time (UTC)": ({ at }) => new Date(at).toISOString(),
};

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { values } = suppressionsList.readLoosely(new URL(request.url).searchParams);
  return seeOther(linkTo(paths.suppressions, values));
}

/** Exports all addresses under the page's filter, newest first; the screen "Add addresses" can import the file. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const {
    values,
    filter: { filter },
  } = suppressionsList.readLoosely(new URL(request.url).searchParams);
  const names = { reason: "reason", prefix: "address starts with" };
  const words = describeFilterInWords(values, names, { typed: ["prefix"], timeZone: operator.timeZone });
  const scope = words || "everything";
  await activity.recordExport("export-suppressions", scope, getActor(request, operator));
  const name = `suppressions-${utcDay(Date.now())}.csv`;
  return csvDownload(request, name, COLUMNS, suppressions.readBatches(filter));
}
