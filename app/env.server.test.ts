import { describe, expect, it } from "vitest";
import { readEnvironment } from "./env.server";

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
