import { notApplicable, ok, problem, warningCheck, slowErrorCheck, type SetupCheck } from "./setup-check";
import type { Environment } from "~/env.server";

type Name = keyof Environment;
const FIREBASE = [
  "FIREBASE_PROJECT_ID",
  "FIREBASE_API_KEY",
  "FIREBASE_APP_ID",
  "FIREBASE_SENDER_ID",
  "FIREBASE_VAPID_KEY",
  "FIREBASE_PROXY",
] as const satisfies readonly Name[];
const MIRRORS = [
  "MIRROR_EARLY_ACCESS_URL",
  "MIRROR_CONTACT_URL",
  "MIRROR_UPDATES_URL",
] as const satisfies readonly Name[];

/** Checks that Redis answers, and that no setting is given for a feature that is not selected. */
export const upstreamChecks: readonly SetupCheck[] = [
  slowErrorCheck("redis-answers", ["REDIS_URL"], ({ redis }) => {
    if (!redis) return notApplicable("REDIS_URL is not set.");
    return redis.problem === undefined
      ? ok("Redis answers.")
      : problem(`Redis does not answer (${redis.problem}): correct REDIS_URL or leave it empty.`);
  }),
  warningCheck("unused-settings", [], ({ settings }) => {
    const [first] = listUnused(settings);
    return first
      ? problem(`${first.names.join(", ")} is set but has no effect: ${first.unless}, or leave it empty.`)
      : ok("No setting without an effect was found.");
  }),
];

/** Lists settings of features that are not selected. Incomplete settings of a selected one stop the start. */
function listUnused(settings: Environment): { names: readonly Name[]; unless: string }[] {
  const usesPlatform =
    settings.PLATFORM_BROADCASTS ||
    (["MAIL_DRIVER", "TENANTS_DRIVER", "LOGS_DRIVER", "RESOURCES_DRIVER"] as const).some(
      (name) => settings[name] === "platform",
    );
  const rules: readonly [names: readonly Name[], isUsed: boolean, unless: string][] = [
    [FIREBASE, settings.PUSH_DRIVER === "fcm", "set PUSH_DRIVER=fcm"],
    [["SMTP_URL"], settings.MAIL_DRIVER === "smtp", "set MAIL_DRIVER=smtp"],
    [["GMAIL_USER"], settings.MAIL_DRIVER === "gmail", "set MAIL_DRIVER=gmail"],
    [
      ["PLATFORM_API_URL", "PLATFORM_API_TOKEN"],
      usesPlatform,
      "use the platform for something (docs/platform.md)",
    ],
    [MIRRORS, settings.SUBMISSION_MIRROR === "web-endpoint", "set SUBMISSION_MIRROR=web-endpoint"],
  ];
  return rules.flatMap(([names, isUsed, unless]) => {
    const unused = isUsed ? [] : names.filter((name) => settings[name] !== undefined);
    return unused.length > 0 ? [{ names: unused, unless }] : [];
  });
}
