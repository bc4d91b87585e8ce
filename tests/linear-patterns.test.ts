import { describe, expect, it } from "vitest";
import { failureReason } from "~/content/outreach";
import { readAddresses } from "~/lib/address-list";
import { toAdminPath } from "~/lib/admin-path";
import { cleanText, truncate } from "~/lib/clean-text";
import { csvLine } from "~/lib/csv";
import { emailKey, isPlainAddress } from "~/lib/email-address";
import { breakStack, parseLogLine, safeLogLine, visibleText } from "~/lib/log-line";
import { maskBeginning, maskSecrets } from "~/lib/mask-secrets";
import { readCsv } from "~/lib/read-csv";
import { toOneLine } from "~/lib/one-line";
import { parseRetryAfter } from "~/lib/retry-after";
import { toSafeName } from "~/lib/safe-name";
import { inquiryWords, searchTerms, searchWords } from "~/lib/search-words";
import { describeUserAgent } from "~/lib/user-agent";
import { startOfUtcDay } from "~/lib/utc-day";
import { isUuid } from "~/lib/uuid";
import { parseZonedMinute } from "~/lib/zoned-time";
import { isSigned } from "~/services/bounces/bounces.server";
import { parsePinoLine } from "~/services/logs/pino-line";
import { toLowerAscii, toSearchTerms } from "~/services/logs/log-store";
import { listUnknownMergeFields } from "~/lib/merge-fields";
import { stripSentenceEnd } from "~/services/mail/sentence-end";
import { getRefusalSubject, hasStatus } from "~/services/mail/delivery/refusal";
import { validateEmailMessage } from "~/services/mail/validate-email-message";
import { isPushHost } from "~/services/push/push-hosts";
import { toDetail } from "~/services/queue/job-type";
import { isRecoveryCode, normalizeCode } from "~/services/second-factor/codes.server";
import { redactPath } from "../server/observability/path-redaction";
import { readViolation } from "../server/observability/csp-report";
import { isLandingPageRequest } from "../server/cache/landing-request";
import { clientAddress } from "../server/request/client-address";
import { getErrorStatus } from "../server/request/client-error";
import { exceedsJson, hasMorePairs } from "../server/request/count-fields";
import { isValidHost } from "../server/request/host";
import { readTarget, withoutQuery } from "../server/request/request-target";
import { getPreferredEncoding } from "../server/response/content-encoding";
import { findSuperlinear } from "./factories/cpu-time";
import { createEmail } from "./factories/email";
import { PATTERN_TEXTS } from "./factories/pattern-texts";

/** What is done to texts of strangers and other servers, each through the function that holds its patterns. */
const WORK: Readonly<Record<string, (text: string) => unknown>> = {
  "masking secrets": (text) => maskSecrets(text),
  "masking the beginning": (text) => maskBeginning(text, 8192),
  "a line of another server's log": (text) => parseLogLine(safeLogLine(text)),
  "control characters in a log line": visibleText,
  "the stack in a log line": breakStack,
  "a line of our own log": parsePinoLine,
  "a search of the log": (text) => [toSearchTerms(text), toLowerAscii(text)],
  "another server's message": (text) => toOneLine(text),
  "a job's result": toDetail,
  "a mail server's reply": (text) => [
    getRefusalSubject(text),
    hasStatus(text),
    failureReason(text.slice(0, 500)),
  ],
  "Retry-After": (text) => parseRetryAfter(text, 0),
  "an email address": (text) => [isPlainAddress(text), emailKey(text)],
  "a list of addresses": (text) => readAddresses([text]),
  "CSV, read": readCsv,
  "CSV, written": (text) => csvLine([text]),
  "a typed text": cleanText,
  "a cut text": (text) => truncate(text, 50),
  "a name in an email": toSafeName,
  "a person's search words": (text) => searchWords({ name: text, email: text }),
  "an inquiry's search words": (text) => inquiryWords({ name: "", email: "", message: text }),
  "a search for people": searchTerms,
  "merge fields": listUnknownMergeFields,
  "the end of a link": stripSentenceEnd,
  "a Message-ID": (text) => {
    expect(() => validateEmailMessage(createEmail({ messageId: `<${text}` }))).toThrow(TypeError);
  },
  "a User-Agent": describeUserAgent,
  "a bounce report's signature": (text) => isSigned({ body: Buffer.from(text), header: text }, "secret", 0),
  "a push host": isPushHost,
  "a recovery code": (text) => isRecoveryCode(normalizeCode(text)),
  "a day": startOfUtcDay,
  "a minute": (text) => parseZonedMinute(text, "UTC"),
  "an id": isUuid,
  "a path to return to": (text) => toAdminPath([text]),
  "a request's path": (text) => [readTarget(text), readTarget(`/${text}`), withoutQuery(text)],
  "a path in the log": (text) => redactPath(`/${text}`),
  "a request for the landing page": (text) => isLandingPageRequest({ method: "GET", url: `/?${text}` }),
  "a Host header": isValidHost,
  "X-Forwarded-For": (text) => clientAddress("::1", text, 1),
  "Accept-Encoding": getPreferredEncoding,
  "a body's fields": (text) => [hasMorePairs(text, 1e9), exceedsJson(text, { members: 1e9, depth: 1e9 })],
  "a malformed request": (text) =>
    getErrorStatus({ name: "", message: "", code: "HPE_INVALID_METHOD", rawPacket: Buffer.from(text) }),
  "a report of the content policy": (text) =>
    readViolation(
      JSON.stringify({
        "csp-report": {
          "blocked-uri": text.slice(0, 8000),
          "document-uri": `https://h/${text.slice(0, 8000)}`,
        },
      }),
    ),
};

describe("texts of others take linear time", () => {
  // C52
  it.each(Object.entries(WORK))(
    "%s",
    (_, work) => {
      expect(findSuperlinear(work, PATTERN_TEXTS)).toEqual([]);
    },
    120_000,
  );

  // C52
  it("a pattern with quadratic time is found", () => {
    const runs = { begin: "", unit: "/", end: "!" };
    const work = (text: string) => /\/+$/.test(text);
    expect(findSuperlinear(work, [runs, { ...runs, end: "" }])).toEqual([JSON.stringify(["", "/", "!"])]);
  });
});
