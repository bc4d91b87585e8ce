import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { csvDownload } from "~/http/csv-download.server";
import { notificationMessages } from "~/content/notifications";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { readListedState } from "~/routes/admin.notifications_.$id/push-states";
import type { PushRow } from "~/services/broadcast/broadcast-stats.server";
import { access, broadcasts } from "~/services/container.server";

const HEADER = ["Device", "Push service", "Status", "Reason", "Attempts", "Updated (UTC)"];

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.broadcast(params.id ?? ""));
}

/** Exports the devices of a broadcast in one state, or all of them, in the order of registration. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const state = readListedState(new URL(request.url).searchParams);
  const by = { by: person.email, ...getRequestOrigin(request) };
  const exported = await broadcasts.exportPushes(params.id ?? "", state, by);
  if (!exported.ok) return seeOther(paths.notifications);
  return csvDownload(request, `devices-${state ?? "all"}.csv`, HEADER, exported.batches, toLine);
}

function toLine({ device_id, service, state, detail, attempts, updated_at }: PushRow) {
  const status = notificationMessages.page.rowStates[state];
  return [device_id, service, status, detail, attempts, new Date(updated_at).toISOString()];
}
