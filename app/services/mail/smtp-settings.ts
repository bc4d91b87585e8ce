import { parseConnectionUrl, PERCENT_ENCODE } from "../../lib/connection-url.ts";

/** Connection settings of the mail server, parsed from SMTP_URL. */
export type SmtpSettings = ReturnType<typeof readSmtpUrl>;

/** Submission (RFC 6409) and submission over TLS (RFC 8314). */
const DEFAULT_PORT = { smtp: 587, smtps: 465 } as const;

/**
 * Parses `smtp[s]://[user[:password]@]host[:port][?tls=off]`; user and password are percent-decoded.
 * smtps uses TLS from the start; smtp needs STARTTLS, but stays plain on loopback addresses and with `?tls=off`.
 * @throws TypeError, without the URL in it, for anything else: the end of a sentence that begins with the setting's name.
 */
export function readSmtpUrl(url: string) {
  const parsed = parseConnectionUrl(url, ["smtp", "smtps"]);
  if (!parsed || parsed.hostname === "" || (parsed.username === "" && parsed.password !== "")) {
    throw new TypeError(`must look like smtp://user:password@host:587. ${PERCENT_ENCODE}`);
  }
  const secure = parsed.protocol === "smtps:";
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const tls = parsed.searchParams.get("tls");
  const isBare = parsed.pathname === "" || parsed.pathname === "/";
  const hasOther = [...parsed.searchParams.keys()].some((name) => name !== "tls");
  if (!isBare || hasOther || (tls !== null && (tls !== "off" || secure))) {
    throw new TypeError("may only say ?tls=off, and only after smtp://");
  }
  const plain = !secure && (tls === "off" || isLoopback(host));
  return {
    host,
    port: parsed.port === "" ? DEFAULT_PORT[secure ? "smtps" : "smtp"] : Number(parsed.port),
    secure,
    // STARTTLS must not be optional: a man in the middle would strip the offer (RFC 3207, section 6).
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    auth:
      parsed.username === ""
        ? undefined
        : { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) },
  };
}

/** Returns whether a host is this machine, where no TLS is needed. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
