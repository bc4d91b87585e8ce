import { expect, it } from "vitest";
import { checkSetup, setupChecks } from "~/services/setup/setup-checks";
import { deployment } from "../tests/factories/deployment";
import { formatSetup } from "./format-setup";

// C34
it("the table lists each check with what to do, and at its end the errors and the warnings", () => {
  const changes = { settings: { MAIL_DRIVER: "outbox", TRUST_PROXY: "0", PASSWORD_MIN_LENGTH: "6" } };
  const lines = formatSetup(checkSetup(deployment(changes))).split("\n");
  expect(lines.slice(-3)).toEqual([
    "",
    "1 error: mail-driver.",
    "3 warnings: proxy-trust, password-length, unused-settings.",
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^mail-driver +error +Set MAIL_DRIVER/));
  expect(lines.slice(0, -3)).toHaveLength(setupChecks.length);
});
