import { notificationMessages as copy } from "~/content/notifications";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getActor, logError } from "~/http/request-context.server";
import { parseForm, firstValues, type FieldErrors, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { ReviewedBroadcast } from "~/services/broadcast/broadcasts.server";
import { getPayloadBytes } from "~/services/broadcast/message";
import { AUDIENCES } from "~/services/broadcast/target";
import { broadcasts, sendTestPush } from "~/services/container.server";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { notificationSchema, type NotificationValues } from "./fields";
import { listCompanies } from "./notifications-view.server";

interface RefusedNotification {
  id: string;
  values: NotificationValues;
  errors?: FieldErrors<keyof NotificationValues & string>;
  message?: string | undefined;
}

/** Handles the buttons of the form and of its confirmation step. */
export async function actOnNotification(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent = "", id = "", token = "", content = "", devices = "" } = firstValues(form);
  if (intent === "confirm") {
    return confirm(id, { contentHash: content, devices: Number(devices) }, request, operator);
  }
  if (intent !== "send" && intent !== "test") return report(undefined, paths.notifications);

  const parsed = parseForm(notificationSchema, form);
  if (!parsed.ok) return refuseForm({ id, values: readValues(form), errors: parsed.errors });
  const values = parsed.value;
  const over = getPayloadBytes(values) - MAX_PAYLOAD_BYTES;
  if (over > 0) return refuseForm({ id, values, errors: { body: copy.tooLong(over) } });
  // A company counts for the application audience only and is ignored for the others.
  const isForCompany = values.audience === "application" && values.tenant !== "";
  const companies = isForCompany ? await listCompanies() : [];
  if (!companies) return refuseForm({ id, values, message: copy.failure(copy.companyUnknown) }, 503);
  const tenant = companies.find((company) => company.id === values.tenant);
  if (isForCompany && !tenant) return refuseForm({ id, values, errors: { tenant: copy.companyGone } });

  const draft = { ...values, tenant };
  const saved = await catchFailure(() => broadcasts.saveDraft(id, draft, operator.email));
  if (saved === undefined) return refuseForm({ id, values, message: copy.failed }, 503);
  // The form was sent already, and reopened in another tab or by the back button, or its id is not ours.
  if (!saved) {
    const isKnown = (await broadcasts.find(id)) !== undefined;
    return isKnown
      ? report("broadcast-sent-before", paths.notifications, { sent: id })
      : report("unknown-broadcast", paths.notifications);
  }

  if (intent === "test") {
    const outcome = await sendTestPush(token, values, getActor(request, operator));
    if (outcome.ok) return report("test-push-sent", paths.notifications, { draft: id });
    if (outcome.error === "unusable") return refuseForm({ id, values, message: copy.testUnusable });
    return refuseForm({ id, values, message: copy.testFailed(outcome.reason) }, 502);
  }
  const count = await broadcasts.countDevices(values.audience, tenant?.id);
  if (count === 0 && !broadcasts.isForPlatform(values.audience)) {
    return refuseForm({ id, values, message: copy.failure(copy.noDevices) });
  }
  return report(undefined, paths.notifications, { draft: id, step: "confirm" });
}

async function confirm(id: string, reviewed: ReviewedBroadcast, request: Request, operator: SignedIn) {
  const by = getActor(request, operator);
  const outcome = await catchFailure(() => broadcasts.confirm({ id, reviewed }, by));
  if (!outcome) return refuse("confirm", { message: copy.failed }, { status: 503 });
  if (outcome.ok) return report(undefined, paths.notifications, { sent: id });
  switch (outcome.error) {
    case "content-changed":
      return report("broadcast-changed", paths.notifications, { draft: id, step: "confirm" });
    case "audience-changed":
      return report("devices-changed", paths.notifications, { draft: id, step: "confirm" });
    case "day-is-full": {
      const { retryAfterSeconds } = outcome;
      return refuse("confirm", { message: copy.failure(copy.dayIsFull) }, { status: 429, retryAfterSeconds });
    }
    case "not-sendable":
      return report("broadcast-not-sendable", paths.notifications, { draft: id });
    default:
      return report(outcome.error, paths.notifications, { draft: id });
  }
}

/** Returns undefined when the write failed: nothing was sent, and no response may claim that it was (R6). */
async function catchFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    logError(err, "a notification could not be stored");
    return undefined;
  }
}

function refuseForm(refused: RefusedNotification, status = 422) {
  return refuse("notification", refused, { status });
}

function readValues(form: FormValues): NotificationValues {
  const { audience: name, tenant = "", title = "", body = "", link = "" } = firstValues(form);
  const audience = AUDIENCES.find((one) => one === name) ?? "";
  return { audience, tenant: audience === "application" ? tenant : "", title, body, link };
}
