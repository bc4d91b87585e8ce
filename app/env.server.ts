import { z } from "zod";
import { parseConnectionUrl, PERCENT_ENCODE } from "./lib/connection-url.ts";
import { getDomain, isExampleDomain } from "./lib/example-domain.ts";
import { isPrivateAddress } from "./lib/private-address.ts";
import { readSmtpUrl } from "./services/mail/smtp-settings.ts";
import { isPushHost, KNOWN_PUSH_HOSTS } from "./services/push/push-hosts.ts";

/* The environment, parsed once, only by this file. Every key is in .env.example (tests/docs.test.ts). */

const flag = z.enum(["on", "off"]).transform((value) => value === "on");
const list = z.string().transform((text) =>
  text
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim()),
);
const addresses = list.pipe(z.array(z.email({ error: "must be addresses separated by commas" })));
const pushHosts = list.refine((hosts) => hosts.every(isPushHost), {
  error: "must be names such as push.example.com or *.push.example.com, separated by commas",
});
/** A spreadsheet's id, as in its URL; the whole URL is accepted too. */
const spreadsheetId = z
  .string()
  .transform((text) => /\/d\/([\w-]+)/.exec(text)?.[1] ?? text)
  .pipe(
    z.string().regex(/^[\w-]{20,100}$/, {
      error: "must be a spreadsheet id: the part between /d/ and /edit in its address",
    }),
  )
  .optional();
const pattern = (form: RegExp, error: string) => z.string().regex(form, { error }).optional();
const webEndpoint = z
  .url({ abort: true })
  .refine(isEndpoint, {
    error: "must be an https address of a public service, or http://127.0.0.1 for one on this machine",
  })
  .optional();
/** A URL that may contain a password, which no refusal quotes. */
const connectionUrl = (
  schemes: readonly string[],
  form: string,
  isUsable: (url: URL) => boolean = ({ hostname }) => hostname !== "",
) =>
  z
    .string()
    .refine(
      (text) => {
        const url = parseConnectionUrl(text, schemes);
        return url !== undefined && isUsable(url);
      },
      { error: `must look like ${form}. ${PERCENT_ENCODE}` },
    )
    .optional();
const smtpUrl = z
  .string()
  .superRefine((text, context) => {
    const problem = findSmtpProblem(text);
    if (problem !== undefined) context.addIssue(problem);
  })
  .optional();
const proxyUrl = connectionUrl(["http"], "http://proxy.example.com:3128");
/** A key file's path. The content is a secret, which a sentence about the file would quote. */
const keyFile = z
  .string()
  .max(1000, { error: "must be the path of a file, not its content" })
  .refine((path) => !/^\s*\{|\n|PRIVATE KEY/.test(path), {
    error: "must be the path of a file, not its content",
  })
  .optional();
/** Words of the brand: one line of text. */
const brandWords = (maximum: number) =>
  z
    .string()
    .trim()
    .regex(/^[^\p{Cc}\u2028\u2029]+$/u, { error: "must be one line of text" })
    .max(maximum, { error: `must have at most ${maximum} characters` });
const wholeNumber = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);

/** An https URL; http is accepted for this machine only. */
const secureUrl = (error: string) =>
  z.url({ protocol: /^https?$/, error, abort: true }).refine((url) => isSecure(new URL(url)), {
    error: "must begin with https, unless it is on this machine",
  });
/** The product's account at a social network. @param example account of the example. */
const socialLink = (example: string) =>
  z
    .string()
    .refine((text) => text === "none" || (URL.canParse(text) && new URL(text).protocol === "https:"), {
      error: `must be an address such as ${example}, or none to leave the link out`,
    })
    .default(example);
/** Where an invited person goes, with a place for the code of their invitation outside of the host's name. */
const inviteUrl = z
  .string()
  .max(1000, { error: "must have at most 1,000 characters" })
  .refine(
    (text) => {
      const [one, other] = ["a", "b"].map((code) => URL.parse(text.replaceAll("{code}", code)));
      return text.includes("{code}") && one?.host === other?.host && /^https?:$/.test(one?.protocol ?? "");
    },
    {
      error:
        "must be the sign-up page of your application with {code} in it, such as https://app.example.com/join?code={code}",
      abort: true,
    },
  )
  .refine((text) => isSecure(new URL(text)), {
    error: "must begin with https, unless it is on this machine",
  })
  .optional();
const isThisMachine = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
const isSecure = ({ protocol, hostname }: URL) => protocol === "https:" || isThisMachine(hostname);

const schema = z
  .object({
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    PORT: wholeNumber(1, 65_535).default(3000),
    HOST: z.string().min(1).optional(),
    ORIGIN: z
      .url({ protocol: /^https?$/ })
      .transform((value) => new URL(value).origin)
      .optional(),
    BRAND_NAME: brandWords(40).default("Confer"),
    CONTACT_EMAIL: z.email().default("hello@example.com"),
    SENDER_LABEL: brandWords(100).optional(),
    SOCIAL_LINKEDIN: socialLink("https://www.linkedin.com/company/confer"),
    SOCIAL_TWITTER: socialLink("https://twitter.com/confer"),
    SOCIAL_INSTAGRAM: socialLink("https://www.instagram.com/confer"),
    PRIVACY_URL: secureUrl(
      "must be the address of your privacy policy, such as https://example.com/privacy",
    ).optional(),
    IMPRINT_URL: secureUrl(
      "must be the address of your imprint, such as https://example.com/imprint",
    ).optional(),
    TRUST_PROXY: wholeNumber(0, 5).default(0),
    SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 60).default(0),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
    METRICS_TOKEN: pattern(
      /^[\x21-\x7e]{32,200}$/,
      "must be 32 to 200 letters, digits and symbols, without spaces",
    ),
    LOG_KEEP_DAYS: wholeNumber(1, 3650).default(30),
    LOG_KEEP_MB: wholeNumber(1, 1_000_000).default(1024),
    DATA_DIR: z.string().min(1).default("./data"),
    MIN_FREE_DISK_MB: wholeNumber(0, 1_000_000).default(100),
    DATABASE_URL: connectionUrl(
      ["postgres", "postgresql"],
      "postgres://user:password@host/database, or be left out for SQLite",
      // Without a host it may name a socket.
      () => true,
    ),
    DATABASE_POOL: wholeNumber(1, 1000).default(12),
    SESSION_SECRET: z.string().min(32).optional(),
    FORM_SECRET: z.string().min(32).optional(),
    FORM_SECRET_PREVIOUS: z.string().min(32).optional(),
    VAPID_PUBLIC_KEY: z.string().min(80).optional(),
    VAPID_PRIVATE_KEY: z.string().min(40).optional(),
    SUPERADMIN_EMAIL: z.email().default("superadmin@example.com"),
    SUPERADMIN_PASSWORD: z.string().optional(),
    PROTECTED_ACCOUNTS: addresses.default([]),
    PASSWORD_MIN_LENGTH: wholeNumber(6, 100).default(6),
    REQUIRE_2FA: flag.default(false),
    MAIL_DRIVER: z.enum(["outbox", "smtp", "gmail", "platform"]).default("outbox"),
    SMTP_URL: smtpUrl,
    MAIL_FROM: z.email().default("hello@example.com"),
    POSTAL_ADDRESS: z.string().max(300).default(""),
    MAIL_CONCURRENCY: wholeNumber(1, 100).default(10),
    MAIL_RATE_PER_SECOND: wholeNumber(0, 10_000).default(0),
    BOUNCE_WEBHOOK_SECRET: z.string().min(32).optional(),
    MAIL_PER_DAY: wholeNumber(0, 10_000_000).optional(),
    MAIL_HOLD_SECONDS: wholeNumber(0, 3600).default(0),
    RESEND_AFTER_CRASH: flag.default(true),
    DOUBLE_OPT_IN: z.enum(["off", "on", "all"]).default("off"),
    HEARD_FROM: flag.default(false),
    INVITE_URL: inviteUrl,
    INVITE_DAYS: wholeNumber(0, 3650).default(0),
    INVITE_BIND: flag.default(false),
    REDIS_URL: connectionUrl(
      ["redis", "rediss"],
      "redis://user:password@host:6379",
      ({ hostname, pathname }) => hostname !== "" && /^(?:\/\d*)?$/.test(pathname),
    ),
    INCIDENT_MAILS: flag.default(false),
    PUSH_CONCURRENCY: wholeNumber(1, 1000).default(50),
    PUSH_RATE_PER_SECOND: wholeNumber(0, 100_000).default(0),
    BROADCASTS_PER_DAY: wholeNumber(0, 1_000_000).default(0),
    PUSH_ALLOWED_HOSTS: pushHosts.default([...KNOWN_PUSH_HOSTS]),
    PUSH_DRIVER: z.enum(["webpush", "fcm"]).default("webpush"),
    FIREBASE_PROJECT_ID: pattern(
      /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
      "must be a project id such as launch-1a2b3",
    ),
    FIREBASE_API_KEY: pattern(/^[\w-]{20,100}$/, "must be the web api key, such as AIzaSy..."),
    FIREBASE_APP_ID: pattern(
      /^\d+:\d+:web:[0-9a-f]+$/,
      "must be a web app's id such as 1:1234567890:web:0a1b2c3d",
    ),
    FIREBASE_SENDER_ID: pattern(/^\d{5,20}$/, "must be the sender id: digits only"),
    FIREBASE_VAPID_KEY: pattern(
      /^B[\w-]{86}$/,
      "must be the public key of the Web Push certificate: 87 characters",
    ),
    FIREBASE_MEASUREMENT_ID: pattern(/^G-[A-Z0-9]{4,20}$/, "must be a measurement id such as G-1A2B3C4D5E"),
    GOOGLE_APPLICATION_CREDENTIALS: keyFile,
    GOOGLE_OAUTH_CLIENT: keyFile,
    GOOGLE_API_KEY: pattern(/^[\w-]{20,100}$/, "must be an API key, such as AIzaSy..."),
    GOOGLE_PROXY: proxyUrl,
    GMAIL_USER: z.email().optional(),
    SHEET_EARLY_ACCESS_ID: spreadsheetId,
    SHEET_CONTACT_ID: spreadsheetId,
    SHEET_UPDATES_ID: spreadsheetId,
    FIREBASE_PROXY: proxyUrl,
    FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
    PLATFORM_API_URL: secureUrl(
      "must be the address of the platform, such as https://api.example.com",
    ).optional(),
    PLATFORM_API_TOKEN: pattern(/^[\x21-\x7e]{8,4096}$/, "must be only the token, without Bearer and spaces"),
    TENANTS_DRIVER: z.enum(["database", "platform"]).default("database"),
    LOGS_DRIVER: z.enum(["database", "platform"]).default("database"),
    RESOURCES_DRIVER: z.enum(["machine", "platform"]).default("machine"),
    PLATFORM_BROADCASTS: flag.default(false),
    ACCOUNT_ENDPOINT_URL: secureUrl("must be the address of the account endpoint, with https").optional(),
    ACCOUNT_SHEET_ID: spreadsheetId,
    SUBMISSION_MIRROR: z.enum(["none", "google-sheets", "web-endpoint"]).default("none"),
    MIRROR_EARLY_ACCESS_URL: webEndpoint,
    MIRROR_CONTACT_URL: webEndpoint,
    MIRROR_UPDATES_URL: webEndpoint,
  })
  .superRefine((env, context) => {
    const problem = (name: keyof typeof env, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    const need = (names: readonly (keyof typeof env)[], why: string) => {
      for (const name of names) if (!env[name]) problem(name, `is needed${why}`);
    };
    if (env.MAIL_DRIVER === "smtp") need(["SMTP_URL"], " when MAIL_DRIVER=smtp");
    // A mail server on this machine may be a catcher; any other one delivers to people, who follow links and reply. Gmail and
    // the platform can be tried out with an address of one's own, so that only the setup asks for ORIGIN there.
    // A URL that was refused is not parsed again.
    const isElsewhere =
      env.SMTP_URL !== undefined &&
      findSmtpProblem(env.SMTP_URL) === undefined &&
      !isThisMachine(new URL(env.SMTP_URL).hostname);
    if (env.MAIL_DRIVER === "smtp" && isElsewhere) {
      need(["ORIGIN"], " when SMTP_URL is another machine: links in emails lead there");
      if (isExampleDomain(getDomain(env.MAIL_FROM))) {
        problem("MAIL_FROM", "is needed when SMTP_URL is another machine: an address of your own");
      }
    }
    if (env.VAPID_PUBLIC_KEY) need(["VAPID_PRIVATE_KEY"], " with VAPID_PUBLIC_KEY");
    if (env.VAPID_PRIVATE_KEY) need(["VAPID_PUBLIC_KEY"], " with VAPID_PRIVATE_KEY");
    if (env.INVITE_BIND) need(["INVITE_URL"], " with INVITE_BIND=on");
    if (env.INVITE_DAYS > 0) need(["INVITE_URL"], " with INVITE_DAYS");
    if (env.ACCOUNT_ENDPOINT_URL && env.ACCOUNT_SHEET_ID) {
      problem("ACCOUNT_SHEET_ID", "must be left out when ACCOUNT_ENDPOINT_URL is set");
    }
    if (env.GMAIL_USER) need(["GOOGLE_APPLICATION_CREDENTIALS"], " with GMAIL_USER");
    const platformUses = DRIVERS.filter((name) => env[name] === "platform").map((name) => `${name}=platform`);
    if (env.PLATFORM_BROADCASTS) platformUses.push("PLATFORM_BROADCASTS=on");
    const [firstUse] = platformUses;
    if (firstUse) need(["PLATFORM_API_URL", "PLATFORM_API_TOKEN"], ` when ${firstUse}`);
    if (env.SUBMISSION_MIRROR === "web-endpoint") {
      need(MIRROR_ENDPOINTS, " when SUBMISSION_MIRROR=web-endpoint");
    }
    if (env.SUBMISSION_MIRROR === "google-sheets" || SPREADSHEETS.some((name) => env[name])) {
      need(SPREADSHEETS, ": each form needs its own spreadsheet");
    }
    if (env.PUSH_DRIVER === "fcm") need(NEEDED_BY_FCM, " when PUSH_DRIVER=fcm");
    else if (env.FIREBASE_MEASUREMENT_ID) {
      problem("FIREBASE_MEASUREMENT_ID", "must be left out unless PUSH_DRIVER=fcm");
    }
    // firebase-admin reads it by itself, and then accepts unsigned ID tokens.
    if (env.PUSH_DRIVER === "fcm" && env.FIREBASE_AUTH_EMULATOR_HOST && env.NODE_ENV === "production") {
      problem(
        "FIREBASE_AUTH_EMULATOR_HOST",
        "lets anybody act as any visitor, so it is for tests and development only",
      );
    }
  });

const DRIVERS = ["MAIL_DRIVER", "TENANTS_DRIVER", "LOGS_DRIVER", "RESOURCES_DRIVER"] as const;
const MIRROR_ENDPOINTS = ["MIRROR_EARLY_ACCESS_URL", "MIRROR_CONTACT_URL", "MIRROR_UPDATES_URL"] as const;
const SPREADSHEETS = ["SHEET_EARLY_ACCESS_ID", "SHEET_CONTACT_ID", "SHEET_UPDATES_ID"] as const;
/** Variables without which the page cannot register and the server cannot send. */
const NEEDED_BY_FCM = [
  "FIREBASE_PROJECT_ID",
  "FIREBASE_API_KEY",
  "FIREBASE_APP_ID",
  "FIREBASE_SENDER_ID",
  "FIREBASE_VAPID_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
] as const;

/** Returns what is wrong with SMTP_URL, without the URL in it. */
function findSmtpProblem(url: string): string | undefined {
  try {
    readSmtpUrl(url);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function isEndpoint(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  if (protocol === "http:") return hostname === "127.0.0.1";
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return protocol === "https:" && !(isAddress && isPrivateAddress(hostname.replace(/^\[|\]$/g, "")));
}

export type Environment = z.infer<typeof schema>;
/** Every variable the product reads; a test checks that .env.example is complete. */
export const environmentKeys = Object.keys(schema.shape);

/** An invalid environment: one line per wrong variable, shown at the terminal. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";

  constructor(...problems: string[]) {
    super(["The environment is not usable:", ...problems.map((problem) => `  ${problem}`)].join("\n"));
  }
}

/** Parses the environment; empty values count as unset. @throws EnvironmentError naming each wrong variable. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const settings = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  throw new EnvironmentError(
    ...parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
  );
}

/**
 * Sets the variables that remix-serve and React read themselves: with an empty PORT the one would listen on any port,
 * with an empty NODE_ENV the other would be its development build.
 */
export function setForLibraries({ PORT, NODE_ENV }: Pick<Environment, "PORT" | "NODE_ENV">): void {
  Object.assign(process.env, { PORT, NODE_ENV });
}
