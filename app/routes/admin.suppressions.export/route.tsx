import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { csvDownload } from "~/csv-download.server";
import { utcDay } from "~/lib/utc-day";
import { operatorMessages } from "~/operator-messages";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { filterIn, filterSearch, suppressionsAt } from "~/routes/admin.suppressions/address";
import { access, suppressions } from "~/services/container.server";
import type { SuppressedAddress } from "~/services/suppressions/suppression-rows.server";

const HEADER = ["Address", "Why", "Detail", "Opted out", "Send", "Time (UTC)"];

/** Taking a copy is written down, and nothing is written on GET. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(suppressionsAt(filterIn(new URL(request.url).searchParams)));
}

/** Exactly what the page shows under the same filter, all of it, newest first; Add addresses reads it back. */
export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const filter = filterIn(new URL(request.url).searchParams);
  const what = filterSearch(filter) || "everything";
  await suppressions.recordExport(what, { by: person.email, ...originOf(request) });
  return csvDownload(
    request,
    `suppressions-${utcDay(Date.now())}.csv`,
    HEADER,
    linesOf(suppressions.batches(filter)),
  );
}

async function* linesOf(batches: AsyncIterable<readonly SuppressedAddress[]>) {
  for await (const rows of batches) yield rows.map(lineOf);
}

function lineOf({ address, reason, detail, optedOut, send, at }: SuppressedAddress): string[] {
  const why = operatorMessages.suppressions.reasons[reason];
  return [address, why, detail, optedOut ? "yes" : "no", send?.title ?? "", new Date(at).toISOString()];
}
