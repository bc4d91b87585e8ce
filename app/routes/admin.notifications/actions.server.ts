import { data } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import type { FieldErrors, FormValues } from "~/lib/parse-form";
import { parseForm, typed } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf, requestId } from "~/http/request-context.server";
import { AUDIENCES } from "~/services/broadcast/audience";
import { payloadBytes } from "~/services/broadcast/message";
import { broadcasts, sendTestPush } from "~/services/container.server";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";
import { companiesIfReadable } from "./companies.server";
import { notificationSchema } from "./fields";
import type { NotificationValues, SendableValues } from "./fields";

const copy = operatorMessages.notifications;

export interface NotificationAnswer {
  id: string;
  values: NotificationValues;
  errors: FieldErrors<keyof NotificationValues & string>;
  failure?: string | undefined;
}

/** The buttons of the form and of the question after it. */
export async function actOnNotification(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", id = "", token = "", devices = "" } = typed(form);
  if (intent === "confirm") return confirm({ id, devices: Number(devices) }, request, person);

  const parsed = parseForm(notificationSchema, form);
  if (!parsed.ok) return refuse({ id, values: asValues(form), errors: parsed.errors });
  const values = parsed.value;
  const over = payloadBytes(values) - MAX_PAYLOAD_BYTES;
  if (over > 0) return refuse({ id, values, errors: { body: copy.tooLong(over) } });
  const company = await companyOf(values);
  if (!company.ok) return refuse({ id, values, ...company.answer }, company.status);

  const draft = { ...values, tenant: company.tenant };
  const saved = await orFailure(() => broadcasts.saveDraft(id, draft, person.email));
  if (saved === undefined) return refuse({ id, values, errors: {}, failure: copy.failed }, 503);
  // The form of one that was sent, come back to by another tab or the back button, or of none of ours.
  if (!saved) {
    const isKnown = (await broadcasts.find(id)) !== undefined;
    return seeOther(
      at(isKnown ? { sent: id, notice: "broadcast-sent-before" } : { notice: "unknown-broadcast" }),
    );
  }

  if (intent === "test") {
    const outcome = await sendTestPush(token, values, { by: person.email, ...originOf(request) });
    if (outcome.ok) return seeOther(at({ draft: id, notice: "test-push-sent" }));
    if (outcome.error === "unusable") return refuse({ id, values, errors: {}, failure: copy.testUnusable });
    return refuse({ id, values, errors: {}, failure: copy.testFailed(outcome.reason) }, 502);
  }
  const count = await broadcasts.countDevices(values.audience, company.tenant?.id);
  if (count === 0 && !broadcasts.isForPlatform(values.audience)) {
    return refuse({ id, values, errors: {}, failure: copy.failure(copy.noDevices) });
  }
  return seeOther(at({ draft: id, step: "confirm" }));
}

async function confirm(asked: { id: string; devices: number }, request: Request, person: SignedIn) {
  const { id, devices: expectedDevices } = asked;
  const by = { by: person.email, ...originOf(request) };
  const outcome = await orFailure(() => broadcasts.confirm({ id, expectedDevices }, by));
  if (!outcome) return data({ failure: copy.failed }, { status: 503 });
  if (outcome.ok) return seeOther(at({ sent: id }));
  switch (outcome.error) {
    case "audience-changed":
      return seeOther(at({ draft: id, step: "confirm", notice: "devices-changed" }));
    case "day-is-full": {
      const headers = { "Retry-After": String(outcome.retryAfterSeconds) };
      return data({ failure: copy.failure(copy.dayIsFull) }, { status: 429, headers });
    }
    case "not-sendable":
      return seeOther(at({ draft: id, notice: "broadcast-not-sendable" }));
    default:
      return seeOther(at({ draft: id, notice: outcome.error }));
  }
}

/** A company counts for the application audience alone; whatever comes with another one is left aside. */
async function companyOf({ audience, tenant }: SendableValues) {
  if (audience !== "application" || tenant === "") return { ok: true, tenant: undefined } as const;
  const companies = await companiesIfReadable();
  if (!companies) {
    const answer = { errors: {}, failure: copy.failure(copy.companyUnknown) };
    return { ok: false, status: 503, answer } as const;
  }
  const found = companies.find(({ id }) => id === tenant);
  if (!found) return { ok: false, status: 422, answer: { errors: { tenant: copy.companyGone } } } as const;
  return { ok: true, tenant: { id: found.id, name: found.name } } as const;
}

/** A full disk or a database that is away: nothing was sent, and nothing is claimed (hardening R6). */
async function orFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    serverBridge().logger.error({ err, id: requestId() }, "a notification could not be stored");
    return undefined;
  }
}

function at(search: Record<string, string>): string {
  return `${paths.notifications}?${new URLSearchParams(search)}`;
}

function refuse(answer: NotificationAnswer, status = 422) {
  return data(answer, { status });
}

function asValues(form: FormValues): NotificationValues {
  const { audience, tenant = "", title = "", body = "", link = "" } = typed(form);
  const known = AUDIENCES.find((one) => one === audience) ?? "";
  return { audience: known, tenant: known === "application" ? tenant : "", title, body, link };
}
