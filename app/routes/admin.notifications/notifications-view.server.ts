import { PUSH_PROMISE } from "~/content/push-messages";
import { days } from "~/lib/durations";
import { readPage, readPlace } from "~/http/list-state";
import { logError } from "~/http/request-context.server";
import type { Broadcast } from "~/services/broadcast/broadcast-state.server";
import { getContentHash } from "~/services/broadcast/broadcasts.server";
import { AUDIENCES } from "~/services/broadcast/target";
import { broadcasts, pushSettings, tenants } from "~/services/container.server";
import type { Tenant } from "~/services/tenants/tenant-directory";
import { EMPTY, type NotificationValues } from "./fields";

const PAGE_SIZE = 20;

/**
 * Builds the page from its URL: `?draft=` the draft in the form, `&step=confirm` its confirmation, `?sent=`
 * the progress or result of a broadcast, `?before=` and `?after=` pages of the history. Without a draft the form is empty
 * and has a new id, which becomes the broadcast's.
 */
export async function getNotificationsView(search: URLSearchParams) {
  const [written, sent] = await Promise.all([
    findBroadcast(search.get("draft")),
    findBroadcast(search.get("sent")),
  ]);
  const draft = written?.state === "draft" ? written : undefined;
  const [companies, all, landing, application, history] = await Promise.all([
    listCompanies(),
    broadcasts.countDevices("all"),
    broadcasts.countDevices("landing"),
    broadcasts.countDevices("application"),
    readPage(readPlace(search), PAGE_SIZE, broadcasts.list),
  ]);
  const isConfirming = draft !== undefined && search.get("step") === "confirm";
  return {
    companies,
    pushSettings,
    sizes: { all, landing, application },
    forPlatform: AUDIENCES.filter(broadcasts.isForPlatform),
    form: draft
      ? { id: draft.id, isNew: false, values: toValues(draft) }
      : { id: broadcasts.newBroadcastId(), isNew: true, values: EMPTY },
    question: isConfirming
      ? {
          draft,
          contentHash: getContentHash(draft),
          devices: await broadcasts.countDevices(draft.audience, draft.tenant_id),
          lastSentAt: await getLastSentAt(draft.audience),
          isForPlatform: broadcasts.isForPlatform(draft.audience),
        }
      : undefined,
    progress: await getProgress(sent),
    ...history,
    now: Date.now(),
  };
}

/**
 * Returns when the last notification to landing page visitors was confirmed, also one that was cancelled since, where the
 * next one would break the promise of the prompt card.
 */
async function getLastSentAt(audience: Broadcast["audience"]): Promise<number | undefined> {
  if (audience === "application") return undefined;
  const at = await broadcasts.getLastToLanding();
  return at !== undefined && Date.now() - at < days(PUSH_PROMISE.days) ? at : undefined;
}

export type NotificationsView = Awaited<ReturnType<typeof getNotificationsView>>;

async function getProgress(broadcast: Broadcast | undefined) {
  if (!broadcast || broadcast.state === "draft") return undefined;
  const { id, state, hold: by, hold_detail: detail } = broadcast;
  return { id, state, hold: { by, detail }, stats: await broadcasts.getStats(id) };
}

const findBroadcast = async (id: string | null) => (id ? broadcasts.find(id) : undefined);

function toValues({ audience, tenant_id, title, body, link }: Broadcast): NotificationValues {
  return { audience, tenant: tenant_id ?? "", title, body, link };
}

/** Lists the companies; undefined when they cannot be read, which is only logged (specification, section 8). */
export async function listCompanies(): Promise<Tenant[] | undefined> {
  try {
    return await tenants.list();
  } catch (err) {
    logError(err, "Failed to fetch tenants");
    return undefined;
  }
}
