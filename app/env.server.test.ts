import { describe, expect, it } from "vitest";
import { EnvironmentError, environmentKeys, readEnvironment } from "./env.server";

describe("a mail server on another machine", () => {
  const settings = { NODE_ENV: "test", MAIL_DRIVER: "smtp", SMTP_URL: "smtp://mail.confer.dev:587" } as const;
  const own = { ORIGIN: "https://launch.confer.dev", MAIL_FROM: "hello@confer.dev" };

  it("requires ORIGIN and MAIL_FROM", () => {
    expect(readEnvironment({ ...settings, ...own }).MAIL_DRIVER).toBe("smtp");
    expect(() => readEnvironment({ ...settings, ...own, ORIGIN: "" })).toThrow(
      "ORIGIN: is needed when SMTP_URL is another machine",
    );
    expect(() => readEnvironment({ ...settings, ...own, MAIL_FROM: "" })).toThrow(
      "MAIL_FROM: is needed when SMTP_URL is another machine",
    );
  });

  it.each(["smtp://localhost:1025", "smtp://127.0.0.1:1025", "smtp://[::1]:1025"])(
    "is not %s, which may be a mail catcher",
    (url) => {
      expect(readEnvironment({ ...settings, SMTP_URL: url }).ORIGIN).toBeUndefined();
    },
  );
});

/** Part of each hostile value. */
const SECRET = "Zq7kXw2v";
/** Connection URLs and their schemes: they contain a password. */
const CONNECTIONS = {
  SMTP_URL: "smtp",
  DATABASE_URL: "postgres",
  REDIS_URL: "redis",
  GOOGLE_PROXY: "http",
  FIREBASE_PROXY: "http",
} as const;
const connections = Object.entries(CONNECTIONS);
const ENCODE = "Percent-encode the user and the password";

function readProblem(settings: Record<string, string>): string | undefined {
  try {
    readEnvironment({ NODE_ENV: "test", ...settings });
    return undefined;
  } catch (error) {
    // Anything else would be printed with its stack.
    expect(error).toBeInstanceOf(EnvironmentError);
    return (error as Error).message;
  }
}

describe.each(connections)("%s", (name, scheme) => {
  // C45
  it.each([
    ["a / in the password", `${scheme}://user:pa/${SECRET}@mail.example.com:587`],
    ["a ? in the password", `${scheme}://user:pa?${SECRET}@mail.example.com:587`],
    ["a # in the password", `${scheme}://user:pa#${SECRET}@mail.example.com:587`],
    // The digits before it read as a port, and the user as the host.
    ["a / after digits", `${scheme}://user:12/${SECRET}@mail.example.com:587`],
    ["a ? after digits", `${scheme}://user:12?${SECRET}@mail.example.com:587`],
    ["a # after digits", `${scheme}://user:12#${SECRET}@mail.example.com:587`],
    ["a % in the password", `${scheme}://user:${SECRET}%zz@mail.example.com:587`],
    ["a % in the user", `${scheme}://${SECRET}%zz:pw@mail.example.com:587`],
    ["a port that is none", `${scheme}://user:${SECRET}@mail.example.com:x`],
    ["another scheme", `gopher://user:${SECRET}@mail.example.com:587`],
    ["no scheme", `user:${SECRET}@mail.example.com`],
    ["only a password", SECRET],
  ])("with %s says how to write it, and not the password", (_, value) => {
    for (const MAIL_DRIVER of ["outbox", "smtp"]) {
      const problem = readProblem({ MAIL_DRIVER, [name]: value });
      expect(problem).toMatch(new RegExp(`^  ${name}: must look like ${scheme}://`, "m"));
      expect(problem).toContain(ENCODE);
      expect(problem).not.toContain(SECRET);
    }
  });

  // C45
  it("is accepted with a password that is percent-encoded", () => {
    const password = encodeURIComponent(`a/b?c#d@e%f:${SECRET}`);
    for (const host of ["mail.example.com:587", "[2001:db8::1]", "mail.example.com"]) {
      expect(readProblem({ [name]: `${scheme}://user:${password}@${host}` })).toBeUndefined();
    }
  });
});

// C45
it.each([
  ["SMTP_URL", "smtp://mail.example.com?tls=on"],
  ["SMTP_URL", "smtp://"],
  ["REDIS_URL", "redis://cache.example.com/meetings"],
])("%s=%s is refused by its name", (name, value) => {
  expect(readProblem({ [name]: value })).toContain(`  ${name}: `);
});

it.each([
  ["BRAND_NAME", "   ", "must be one line of text"],
  ["BRAND_NAME", "Two\nlines", "must be one line of text"],
  ["BRAND_NAME", "a".repeat(41), "must have at most 40 characters"],
  ["CONTACT_EMAIL", "hello", "Invalid email address"],
  ["SENDER_LABEL", "The\r\nteam", "must be one line of text"],
  ["SOCIAL_TWITTER", "@launchpad", "must be an address such as https://twitter.com/confer, or none"],
  ["SOCIAL_TWITTER", "http://twitter.com/launchpad", "must be an address such as"],
  ["PRIVACY_URL", "/privacy", "must be the address of your privacy policy"],
  ["IMPRINT_URL", "http://launchpad.dev/imprint", "must begin with https"],
])("%s=%j is refused: %s", (name, value, why) => {
  expect(readProblem({ [name]: value })).toContain(`  ${name}: ${why}`);
});

it.each([
  ["BRAND_NAME", "Café & Söhne"],
  ["SOCIAL_INSTAGRAM", "none"],
  ["PRIVACY_URL", "https://launchpad.dev/privacy?lang=en#top"],
  ["DATABASE_URL", "postgres:///frontdesk?host=/var/run/postgresql"],
  ["DATABASE_URL", "postgresql://ada@db.example.com/frontdesk?sslmode=verify-full"],
  ["SMTP_URL", "smtp://mail.example.com?tls=off"],
  ["REDIS_URL", "rediss://:pw@cache.example.com:6379/2"],
])("%s=%s is accepted", (name, value) => {
  expect(readProblem({ [name]: value })).toBeUndefined();
});

// C45
it.each([
  ["a password", SECRET],
  ["an address with a password", `https://user:pa/${SECRET}@example.com`],
  ["an address with a wrong port", `https://user:${SECRET}@example.com:x/`],
  ["a broken address", `http://${SECRET}%zz@[::1/`],
  ["a key file's content", `{ "private_key": "-----BEGIN PRIVATE KEY-----\\n${SECRET}" }`],
  ["a private key", `-----BEGIN PRIVATE KEY-----\n${SECRET}`],
  ["a long text", `=?utf-8?q?${SECRET}?= `.repeat(20)],
])("%s is quoted by no refusal of a setting", (_, value) => {
  for (const name of environmentKeys) {
    for (const MAIL_DRIVER of ["outbox", "smtp"]) {
      // What is said of other settings counts too.
      const others = { MAIL_DRIVER, PUSH_DRIVER: "fcm", SUBMISSION_MIRROR: "web-endpoint" };
      expect(readProblem({ ...others, [name]: value }) ?? "").not.toContain(SECRET);
    }
  }
});

// C45
it.each(["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_OAUTH_CLIENT"])(
  "%s is a path, not the file's content",
  (name) => {
    for (const content of ['{"type":"service_account"}', "ZXlK".repeat(300)]) {
      const problem = readProblem({ [name]: content });
      expect(problem).toContain(`${name}: must be the path of a file, not its content`);
    }
    expect(readProblem({ [name]: "/etc/frontdesk/key {1}.json" })).toBeUndefined();
  },
);

describe("INVITE_URL", () => {
  it.each([
    "https://app.example.com/join?code={code}",
    "https://app.example.com/join/{code}#{code}",
    "http://localhost:5000/{code}",
  ])("may be %s", (url) => {
    expect(readProblem({ INVITE_URL: url })).toBeUndefined();
  });

  it.each([
    ["https://app.example.com/join", "must be the sign-up page of your application with {code} in it"],
    ["app.example.com/{code}", "must be the sign-up page"],
    ["https://{code}.example.com/", "must be the sign-up page"],
    ["javascript:alert({code})", "must be the sign-up page"],
    ["http://app.example.com/{code}", "must begin with https, unless it is on this machine"],
  ])("is refused as %s", (url, why) => {
    expect(readProblem({ INVITE_URL: url })).toContain(`INVITE_URL: ${why}`);
  });

  it("is needed by what it is for", () => {
    expect(readProblem({ INVITE_BIND: "on" })).toContain("INVITE_URL: is needed with INVITE_BIND=on");
    expect(readProblem({ INVITE_DAYS: "7" })).toContain("INVITE_URL: is needed with INVITE_DAYS");
  });
});
