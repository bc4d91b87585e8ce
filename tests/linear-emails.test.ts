import { describe, expect, it } from "vitest";
import { composeOutreachEmails } from "~/emails/compose";
import type { MessageFormat } from "~/lib/message-format";
import { buildMime } from "~/services/mail/drivers/build-mime.server";
import { findSuperlinear } from "./factories/cpu-time";
import { createEmail } from "./factories/email";
import { PATTERN_TEXTS } from "./factories/pattern-texts";

/** Composes an email of one text, typed by an operator and by its recipient. */
const composeHostile = (text: string, format: MessageFormat) =>
  composeOutreachEmails({ title: text, message: text, format, brandName: "Confer" })({
    messageId: "<a@frontdesk.test>",
    recipient: { name: text, company: text, role: text, address: "ada@example.test" },
    sender: { name: "The team", address: "team@frontdesk.test" },
    unsubscribeUrl: "https://frontdesk.test/unsubscribe/x",
  });

/** What is done to an email: as much work as all in linear-patterns.test.ts, and done beside it. */
const WORK: Readonly<Record<string, (text: string) => unknown>> = {
  "its message": (text) => composeHostile(text, "text"),
  "its Markdown": (text) => composeHostile(text, "markdown"),
  "its headers": (text) => {
    const plain = text.replaceAll(/[\r\n\0]/g, " ");
    return buildMime(createEmail({ subject: plain, to: { name: plain, address: "ada@example.test" } }));
  },
};

describe("an email takes linear time", () => {
  // C52
  it.each(Object.entries(WORK))(
    "%s",
    (_, work) => {
      expect(findSuperlinear(work, PATTERN_TEXTS)).toEqual([]);
    },
    120_000,
  );
});
