import { z } from "zod";

/**
 * The environment, parsed once. This is the only file that reads process.env; a wrong value stops the boot with the
 * variable's name and what is expected of it. Every key stands in .env.example (tests/docs.test.ts compares them).
 */
const flag = z.enum(["on", "off"]).transform((value) => value === "on");
const addresses = z
  .string()
  .transform((list) =>
    list
      .toLowerCase()
      .split(",")
      .map((address) => address.trim()),
  )
  .pipe(z.array(z.email({ error: "must be addresses separated by commas" })));
const wholeNumber = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);

const schema = z
  .object({
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    PORT: wholeNumber(1, 65_535).default(3000),
    HOST: z.string().min(1).optional(),
    ORIGIN: z
      .url({ protocol: /^https?$/ })
      .transform((value) => new URL(value).origin)
      .optional(),
    TRUST_PROXY: wholeNumber(0, 5).default(0),
    SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 60).default(0),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
    DATA_DIR: z.string().min(1).default("./data"),
    MIN_FREE_DISK_MB: wholeNumber(0, 1_000_000).default(100),
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: "must start with postgres:// or be left out for SQLite" })
      .optional(),
    SESSION_SECRET: z.string().min(32).optional(),
    FORM_SECRET: z.string().min(32).optional(),
    VAPID_PUBLIC_KEY: z.string().min(80).optional(),
    VAPID_PRIVATE_KEY: z.string().min(40).optional(),
    SUPERADMIN_EMAIL: z.email().default("superadmin@example.com"),
    SUPERADMIN_PASSWORD: z.string().optional(),
    PROTECTED_ACCOUNTS: addresses.default([]),
    PASSWORD_MIN_LENGTH: wholeNumber(6, 100).default(6),
    MAIL_DRIVER: z.enum(["outbox", "smtp"]).default("outbox"),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: "must look like smtp://user:password@host:587" })
      .optional(),
    MAIL_FROM: z.email().default("hello@example.com"),
    MAIL_CONCURRENCY: wholeNumber(1, 100).default(10),
    MAIL_RATE_PER_SECOND: wholeNumber(0, 10_000).default(0),
    RESEND_AFTER_CRASH: flag.default(true),
    DOUBLE_OPT_IN: flag.default(false),
  })
  .superRefine((env, context) => {
    const missing = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (env.MAIL_DRIVER === "smtp" && !env.SMTP_URL) missing("SMTP_URL", "is needed when MAIL_DRIVER=smtp");
    if (env.VAPID_PUBLIC_KEY && !env.VAPID_PRIVATE_KEY) {
      missing("VAPID_PRIVATE_KEY", "is needed beside VAPID_PUBLIC_KEY");
    }
    if (env.VAPID_PRIVATE_KEY && !env.VAPID_PUBLIC_KEY) {
      missing("VAPID_PUBLIC_KEY", "is needed beside VAPID_PRIVATE_KEY");
    }
  });

export type Environment = z.infer<typeof schema>;

/** Every variable the product reads, for the check that .env.example is complete. */
export const environmentKeys = Object.keys(schema.shape);

/** A message for the person at the terminal: one line per wrong variable. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
}

/**
 * Parses the environment. Empty values count as unset, as in a copied .env.example.
 * @throws EnvironmentError naming each wrong variable.
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new EnvironmentError(`The environment is not usable:\n${lines.join("\n")}`);
}
