import { isLoopback, readSmtpUrl } from "~/services/mail/smtp-settings";
import { getDomain, getOrganization, isExampleDomain } from "~/lib/example-domain";
import type { SetupCheck, Verdict } from "./setup-check";
import { notApplicable, ok, problem, errorCheck, warningCheck, slowWarningCheck } from "./setup-check";
import type { Environment } from "~/env.server";

/** Whether emails are sent from MAIL_FROM: the platform and Google have a sender of their own. */
const isMailFromSender = ({ MAIL_DRIVER }: Environment) => MAIL_DRIVER === "smtp" || MAIL_DRIVER === "outbox";

/** Checks of the delivery and authenticity of emails. */
export const mailChecks: readonly SetupCheck[] = [
  errorCheck("mail-driver", ["MAIL_DRIVER"], ({ settings: { MAIL_DRIVER } }) =>
    MAIL_DRIVER === "outbox"
      ? problem(
          "Set MAIL_DRIVER, for example to smtp: with outbox every email is stored as a file here and reaches nobody.",
        )
      : ok(`Emails are sent by ${MAIL_DRIVER}.`),
  ),
  errorCheck("smtp-tls", ["SMTP_URL"], ({ settings: { MAIL_DRIVER, SMTP_URL } }) => {
    if (MAIL_DRIVER !== "smtp" || SMTP_URL === undefined)
      return notApplicable("Emails are not sent by SMTP.");
    const { host, ignoreTLS } = readSmtpUrl(SMTP_URL);
    return ignoreTLS && !isLoopback(host)
      ? problem("Remove ?tls=off from SMTP_URL: emails and the password are sent unencrypted.")
      : ok("Emails are only sent over TLS, unless the mail server is on this machine.");
  }),
  errorCheck("mail-from", ["MAIL_FROM"], ({ settings }) => {
    const { MAIL_FROM, PUSH_DRIVER } = settings;
    // Firebase is told no contact.
    const uses = [
      ...(isMailFromSender(settings) ? ["the sender of emails"] : []),
      ...(PUSH_DRIVER === "webpush" ? ["the contact for push services"] : []),
    ];
    if (uses.length === 0) return notApplicable("MAIL_FROM is neither the sender nor a contact.");
    const use = uses.join(" and ");
    return isExampleDomain(getDomain(MAIL_FROM))
      ? problem(`Set MAIL_FROM: ${MAIL_FROM} is a placeholder. It is ${use}.`)
      : ok(`${MAIL_FROM} is ${use}.`);
  }),
  warningCheck("mail-domain", ["MAIL_FROM"], ({ settings, origin }) => {
    if (settings.ORIGIN === undefined) return notApplicable("ORIGIN is not set.");
    if (!isMailFromSender(settings)) return notApplicable("MAIL_FROM is not the sender.");
    const [senderDomain, site] = [getDomain(settings.MAIL_FROM), new URL(origin).hostname];
    return getOrganization(senderDomain) === getOrganization(site)
      ? ok("The sender has the same domain as ORIGIN.")
      : problem(
          `Emails come from ${senderDomain} but link to ${site}: mail providers may treat them as forged.`,
        );
  }),
  warningCheck("postal-address", ["POSTAL_ADDRESS"], ({ settings: { POSTAL_ADDRESS } }) =>
    POSTAL_ADDRESS.trim() === ""
      ? problem("Set POSTAL_ADDRESS: many countries require one in marketing emails.")
      : ok("Campaign emails end with a postal address."),
  ),
  errorCheck("double-opt-in", ["DOUBLE_OPT_IN"], ({ settings: { DOUBLE_OPT_IN, MAIL_DRIVER } }) => {
    if (DOUBLE_OPT_IN === "off") return notApplicable("Signups count without a confirmation by email.");
    if (MAIL_DRIVER === "outbox") {
      return problem(
        "Set MAIL_DRIVER, or DOUBLE_OPT_IN=off: nobody gets the email to confirm with, so no signup that needs it counts.",
      );
    }
    return DOUBLE_OPT_IN === "all"
      ? ok("Signups for updates and for early access count once their address is confirmed.")
      : ok("Signups for updates count once their address is confirmed.");
  }),
  errorCheck("invite-url", ["INVITE_URL"], ({ settings: { INVITE_URL }, origin }) => {
    if (INVITE_URL === undefined) return notApplicable("Nobody is invited: INVITE_URL is not set.");
    const { protocol, host } = new URL(INVITE_URL);
    // The environment allows http on this machine alone.
    if (protocol === "http:") {
      return problem(
        `Set INVITE_URL to the public https address of your application: invited people cannot open ${host}.`,
      );
    }
    return host === new URL(origin).host
      ? problem(
          `Set INVITE_URL to a page of your application: ${host} is this server, which has no page for codes.`,
        )
      : ok(`Invited people go to ${host}.`);
  }),
  slowWarningCheck("mail-spf", [], ({ settings, mailDomain: { hasSpf } }) =>
    checkRecord(settings, hasSpf, (domain) => `a TXT record of ${domain} with v=spf1`),
  ),
  slowWarningCheck("mail-dmarc", [], ({ settings, mailDomain: { hasDmarc, dmarcDomain } }) =>
    checkRecord(
      settings,
      hasDmarc,
      (domain) => `a TXT record of _dmarc.${dmarcDomain ?? domain} with v=DMARC1`,
    ),
  ),
];

function checkRecord(
  settings: Environment,
  isThere: boolean | undefined,
  record: (domain: string) => string,
): Verdict {
  const domain = getDomain(settings.MAIL_FROM);
  if (settings.MAIL_DRIVER !== "smtp") return notApplicable("Emails are not sent by SMTP.");
  if (isExampleDomain(domain)) return notApplicable("MAIL_FROM is a placeholder.");
  if (isThere === undefined) return notApplicable("DNS did not answer in time.");
  return isThere
    ? ok(`There is ${record(domain)}.`)
    : problem(`Create ${record(domain)}: without it mail providers reject emails or mark them as spam.`);
}
