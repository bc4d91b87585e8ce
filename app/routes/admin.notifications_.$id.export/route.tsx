import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { notificationMessages } from "~/content/notifications";
import { csvDownload } from "~/http/csv-download.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { paths } from "~/paths";
import { PUSH_FILTERS, type PushRow } from "~/services/broadcast/broadcast-stats.server";
import { access, broadcasts } from "~/services/container.server";

const COLUMNS: Record<string, (row: PushRow) => string | number> = {
  Device: ({ device_id }) => device_id,
  "Push service": ({ service }) => service,
  Status: ({ state }) => notificationMessages.page.rowStates[state],
  Reason: ({ detail }) => detail,
  Attempts: ({ attempts }) => attempts,
  "Updated (UTC)": ({ updated_at }) => new Date(updated_at).toISOString(),
};

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.broadcast(params.id ?? ""));
}

/** Exports the devices of a broadcast in one state, or all of them, in the order of registration. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const state = PUSH_FILTERS.find((known) => known === searchParams.get("state"));
  const exported = await broadcasts.exportPushes(params.id ?? "", state, getActor(request, operator));
  if (!exported.ok) return seeOther(paths.notifications);
  return csvDownload(request, `devices-${state ?? "all"}.csv`, COLUMNS, exported.batches);
}
