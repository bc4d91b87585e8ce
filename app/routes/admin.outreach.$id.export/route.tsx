import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { csvDownload } from "~/csv-download.server";
import { operatorMessages } from "~/operator-messages";
import { skipReason } from "~/operator-messages/outreach";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { readListedState } from "~/routes/admin.outreach.$id/delivery-states";
import { access, outreach } from "~/services/container.server";
import type { Delivery } from "~/services/outreach/book.server";

const HEADER = ["Address", "Name", "State", "What happened", "Tries", "Changed (UTC)"];

/** Taking a copy is written down, and nothing is written on GET. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.outreachSend(params.id ?? ""));
}

/** The recipients of a send in one state, or all of them, in the order of signup. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const state = readListedState(new URL(request.url).searchParams);
  const exported = await outreach.exportDeliveries(params.id ?? "", state, {
    ...{ by: person.email, ...originOf(request) },
  });
  if (!exported.ok) return seeOther(paths.dashboard);
  return csvDownload(`recipients-${state ?? "all"}.csv`, HEADER, linesOf(exported.batches));
}

async function* linesOf(batches: AsyncIterable<readonly Delivery[]>) {
  for await (const rows of batches) yield rows.map(lineOf);
}

function lineOf({ address, name, state, detail, attempts, updated_at }: Delivery) {
  const words = operatorMessages.outreachBooks.rowStates[state];
  const what = state === "skipped" ? skipReason(detail) : detail;
  return [address, name, words, what, attempts, new Date(updated_at).toISOString()];
}
