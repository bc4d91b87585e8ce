import { hash } from "node:crypto";
import type { Environment } from "~/env.server";
import { WebEndpointMirror } from "~/services/mirrors/drivers/web-endpoint-mirror.server";
import { createMirrorWorker } from "~/services/mirrors/mirror-worker.server";
import { createMirrors } from "~/services/mirrors/mirrors.server";
import type { SubmissionMirror } from "~/services/mirrors/submission-mirror";
import type { Clock } from "~/services/service-deps";
import type { Foundation } from "./foundation.server";
import { openGoogleSheetsMirror } from "./google.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

/** Composes the mirroring of submissions and its status for operators; all undefined when no mirror is chosen. */
export async function composeMirroring(foundation: Foundation) {
  const chosen = await createMirror(foundation.environment, foundation);
  if (!chosen)
    return { mirrorWorker: undefined, mirrors: undefined, mirror: undefined, mirrorInUse: undefined };
  const { mirror, targets } = chosen;
  const { database, clock, newId, random, log, instance, leaseTime } = foundation;
  const mirrorWorker = createMirrorWorker({
    database,
    clock,
    newId,
    random,
    log,
    instance,
    leaseTime,
    mirror,
    targets,
  });
  return {
    mirrorWorker,
    mirror,
    mirrors: createMirrors({ database, clock, newId, wake: mirrorWorker.wake }),
    mirrorInUse: {
      name: mirror.name,
      isRepeatable: mirror.isRepeatable,
      /** What becomes of the rows of people who are deleted or erased: an endpoint can only append. */
      copies: mirror.isRepeatable ? ("emptied" as const) : ("listed" as const),
      canRead: mirror.read !== undefined,
    },
  };
}

/**
 * Creates the mirror that the environment chooses, if any.
 * @throws EnvironmentError without Google credentials that may write there.
 */
export async function createMirror(environment: Environment, { clock }: { clock: Clock }) {
  // The environment does not parse without those that the chosen mirror needs.
  const sheets = {
    "early-access": environment.SHEET_EARLY_ACCESS_ID ?? "",
    "contact-form": environment.SHEET_CONTACT_ID ?? "",
    "updates-signup": environment.SHEET_UPDATES_ID ?? "",
  };
  switch (environment.SUBMISSION_MIRROR) {
    case "none":
      return undefined;
    case "google-sheets": {
      const mirror = await openGoogleSheetsMirror(environment, sheets, clock);
      return { mirror, targets: toTargets(mirror.name, sheets) };
    }
    case "web-endpoint": {
      const urls = {
        "early-access": environment.MIRROR_EARLY_ACCESS_URL ?? "",
        "contact-form": environment.MIRROR_CONTACT_URL ?? "",
        "updates-signup": environment.MIRROR_UPDATES_URL ?? "",
      };
      const { GOOGLE_API_KEY } = environment;
      const key = environment.SHEET_EARLY_ACCESS_ID === undefined ? undefined : GOOGLE_API_KEY;
      const mirror = new WebEndpointMirror({ urls, clock, ...(key && { readBack: { key, sheets } }) });
      // With read-back the sheets identify the copy: an endpoint may be deployed again at another URL.
      return { mirror, targets: toTargets(mirror.name, key ? sheets : urls) };
    }
  }
}

/** Hashes the target of each form's copy: the address of an endpoint is as good as a key. */
function toTargets(name: SubmissionMirror["name"], places: Record<SubmissionKind, string>) {
  const hashed = (kind: SubmissionKind) => hash("sha256", `${name} ${places[kind]}`);
  const [early, contact, updates] = SUBMISSION_KINDS;
  return { [early]: hashed(early), [contact]: hashed(contact), [updates]: hashed(updates) } as const;
}
