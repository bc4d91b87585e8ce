import { cleanText, codePoints } from "./clean-text";
import { unescapeFormula } from "./csv";
import { emailKey, isPlainAddress, toAsciiAddress } from "./email-address";
import { CHOICES } from "./form-fields";
import {
  CONSENT_MAX_LENGTH,
  type ImportedKind,
  type ImportField,
  type ImportMapping,
} from "./import-columns";
import { parseDate, type DateOrder } from "./import-dates";
import { decodeCell } from "./import-encoding";
import { cleanSource, IMPORT_SOURCE } from "./source";

const NAME_MAX_LENGTH = 200;
/** Nobody signed up online before. */
const FIRST_TIME = Date.UTC(2000, 0, 1);

/** How the lines of a file are read. */
export interface ImportReading {
  readonly encoding: string;
  /** Names of the file's columns. */
  readonly headers: readonly string[];
  readonly mapping: ImportMapping;
  readonly kind: ImportedKind;
  readonly consent: string;
  readonly dateOrder: DateOrder | "";
}

/** Why a line cannot be imported. */
export type InvalidReason =
  | "no-address"
  | "not-an-address"
  | "more-cells"
  | "too-long"
  | "not-a-date"
  | "future"
  | "too-early"
  | "unconfirmed"
  | "no-consent";

/**
 * A line as it was read. "stop": its status or the time of its opt-out says that nobody may write to the address;
 * `detail` is what the file says.
 */
export type ReadLine =
  | { readonly kind: "invalid"; readonly email_key: string; readonly reason: InvalidReason }
  | {
      readonly kind: "stop";
      readonly email_key: string;
      readonly email: string;
      readonly detail: string;
      /** Whether its owner said so, and not a mail server. */
      readonly isOptOut: boolean;
    }
  | {
      readonly kind: "person";
      readonly email_key: string;
      readonly email: string;
      readonly name: string;
      readonly company: string;
      readonly role: "" | (typeof CHOICES)["early-access"][number];
      /** Undefined where the file does not say. */
      readonly signedUpAt: number | undefined;
      readonly consent: string;
      readonly source: string;
    };

/** What a status column says of an address to which nobody may write, in lower case without signs. */
const STOPPED =
  /^(?:unsub|optedout|optout|cancel|clean|bounce|hardbounce|softbounce|complain|spam|junk|abuse|blocklist|blacklist|blocked|suppress|invalid|undeliver|donot|disabled|archived|deleted|removed|inactive)/;
/** What it says of a mailbox, and not of its owner's will. */
const OF_MAILBOX = /^(?:clean|bounce|hardbounce|softbounce|invalid|undeliver)/;
/** What it says of an address whose owner has not confirmed it, or never signed up. */
const UNCONFIRMED = /^(?:pending|unconfirmed|nonsubscri|notsubscri|neversubscri|transactional)/;
/** Cells that say "no", or nothing: as words, or as programs and databases write it. */
const NO =
  /^(?:|-|0|n|f|off|n\/?a|no|none|null|\\n|nan|false|nein|non|never|nie|0000-00-00(?:[ t]00:00(?::00)?)?)$/i;
/** Cells that say "yes" without saying more. */
const YES = /^(?:1|y|t|yes|true|ja|oui|on|x)$/i;

/** Reads a line as its import says. @param now no sign-up is later. */
export function readImportLine(cells: readonly string[], reading: ImportReading, now: number): ReadLine {
  const { mapping, encoding, headers, kind, dateOrder } = reading;
  const get = (field: ImportField) => {
    const at = mapping[field];
    return at === undefined ? "" : unescapeFormula(cleanText(decodeCell(cells[at] ?? "", encoding)) ?? "");
  };
  const email = toAsciiAddress(get("email"));
  const isAddress = isPlainAddress(email);
  const email_key = isAddress ? emailKey(email) : "";
  const invalid = (reason: InvalidReason) => ({ kind: "invalid", email_key, reason }) as const;
  if (email === "") return invalid("no-address");
  if (!isAddress) return invalid("not-an-address");
  if (cells.slice(headers.length).some((cell) => cell.trim() !== "")) return invalid("more-cells");

  const stop = findStop({
    status: get("status"),
    unsubscribedAt: get("unsubscribed_at"),
    header: decodeCell(headers[mapping.unsubscribed_at ?? -1] ?? "", encoding),
  });
  if (stop) return { kind: "stop", email_key, email, ...stop };
  if (UNCONFIRMED.test(toLetters(get("status")))) return invalid("unconfirmed");

  const name = oneLine(get("name") || [get("first_name"), get("last_name")].filter(Boolean).join(" "));
  const isEarlyAccess = kind === "early-access";
  const company = isEarlyAccess ? oneLine(get("company")) : "";
  if (codePoints(name) > NAME_MAX_LENGTH || codePoints(company) > NAME_MAX_LENGTH) return invalid("too-long");

  const typedTime = get("signed_up_at");
  const signedUpAt = typedTime === "" ? undefined : parseDate(typedTime, dateOrder);
  if (typedTime !== "" && signedUpAt === undefined) return invalid("not-a-date");
  if (signedUpAt !== undefined && signedUpAt > now) return invalid("future");
  if (signedUpAt !== undefined && signedUpAt < FIRST_TIME) return invalid("too-early");

  const consent = getConsent(oneLine(get("consent")), reading);
  if (consent === "") return invalid("no-consent");
  return {
    kind: "person",
    email_key,
    email,
    name,
    company,
    role: isEarlyAccess ? toRole(get("role")) : "",
    signedUpAt,
    consent,
    source: cleanSource(get("source")) || IMPORT_SOURCE,
  };
}

/**
 * Returns what the file says where nobody may write to the address; undefined where it says nothing of the kind. Beside a
 * status about the mailbox, the time of an opt-out still is one.
 * @param line.header of the column with the time: Mailchimp's CLEAN_TIME is that of a bounce.
 */
function findStop(line: {
  status: string;
  unsubscribedAt: string;
  header: string;
}): Pick<Extract<ReadLine, { kind: "stop" }>, "detail" | "isOptOut"> | undefined {
  const said = oneLine(line.unsubscribedAt).slice(0, 100);
  const hasTime = !NO.test(said);
  const isOfMailbox = OF_MAILBOX.test(toLetters(line.header));
  const hasOptedOut = hasTime && !isOfMailbox;
  const status = toLetters(line.status);
  if (STOPPED.test(status)) {
    return { detail: oneLine(line.status).slice(0, 100), isOptOut: hasOptedOut || !OF_MAILBOX.test(status) };
  }
  if (!hasTime) return undefined;
  const happened = isOfMailbox ? "bounced" : "unsubscribed";
  return { detail: YES.test(said) ? happened : `${happened} ${said}`, isOptOut: hasOptedOut };
}

/** The sentence of the line's own column, or that of the import; a cell that says no is no consent. */
function getConsent(cell: string, { mapping, headers, encoding, consent }: ImportReading): string {
  if (mapping.consent === undefined) return consent;
  if (cell === "") return consent;
  if (NO.test(cell)) return "";
  const header = decodeCell(headers[mapping.consent] ?? "", encoding);
  const said = YES.test(cell) && header !== "" ? `${header}: ${cell}` : cell;
  return Array.from(said).slice(0, CONSENT_MAX_LENGTH).join("");
}

function toRole(typed: string) {
  const { "early-access": roles } = CHOICES;
  if (typed.trim() === "") return "";
  return roles.find((role) => role === typed.trim().toLowerCase()) ?? "other";
}

const toLetters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
