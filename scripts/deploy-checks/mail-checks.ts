import { getDomain, isExampleDomain } from "~/lib/example-domain";
import type { DeployCheck, Verdict } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";
import type { Environment } from "~/env.server";

/** Whether emails are sent from MAIL_FROM: the platform and Google have a sender of their own. */
const isSender = ({ MAIL_DRIVER }: Environment) => MAIL_DRIVER === "smtp" || MAIL_DRIVER === "outbox";

/** Checks of the delivery and authenticity of emails. */
export const mailChecks: readonly DeployCheck[] = [
  {
    id: "mail-driver",
    severity: "error",
    check: ({ settings: { MAIL_DRIVER } }) =>
      MAIL_DRIVER === "outbox"
        ? trouble(
            "Set MAIL_DRIVER, such as to smtp: with outbox every mail is a file here and reaches nobody.",
          )
        : ok(`Mails go by ${MAIL_DRIVER}.`),
  },
  {
    id: "smtp-tls",
    severity: "error",
    check: ({ settings: { MAIL_DRIVER, SMTP_URL } }) => {
      if (MAIL_DRIVER !== "smtp" || SMTP_URL === undefined) return notApplicable("Mails do not go by SMTP.");
      return new URL(SMTP_URL).searchParams.get("tls") === "off"
        ? trouble("Take ?tls=off out of SMTP_URL: mails and password go in plain text.")
        : ok("Mails go over TLS, or not at all, unless the server is this machine.");
    },
  },
  {
    id: "mail-from",
    severity: "error",
    check: ({ settings: { MAIL_FROM } }) =>
      isExampleDomain(getDomain(MAIL_FROM))
        ? trouble(
            `Set MAIL_FROM: ${MAIL_FROM} is nobody's. Mails come from it, and push services write to it.`,
          )
        : ok(`Mails come from ${MAIL_FROM}, and push services write to it.`),
  },
  {
    id: "mail-domain",
    severity: "warning",
    check: ({ settings, origin }) => {
      if (settings.ORIGIN === undefined) return notApplicable("ORIGIN is not set.");
      if (!isSender(settings)) return notApplicable("The sender is not MAIL_FROM.");
      const [mail, site] = [getDomain(settings.MAIL_FROM), new URL(origin).hostname];
      return ownerOf(mail) === ownerOf(site)
        ? ok("Mails come from the domain of ORIGIN.")
        : trouble(`Mails come from ${mail} and lead to ${site}: mail providers take that for a forgery.`);
    },
  },
  {
    id: "postal-address",
    severity: "warning",
    check: ({ settings: { POSTAL_ADDRESS } }) =>
      POSTAL_ADDRESS.trim() === ""
        ? trouble("Set POSTAL_ADDRESS: many countries ask for it at the foot of mails to many.")
        : ok("Mails to many end with a postal address."),
  },
  {
    id: "mail-spf",
    severity: "warning",
    check: ({ settings, mailDomain: { hasSpf } }) =>
      judgeRecord(settings, hasSpf, (domain) => `a TXT record of ${domain} with v=spf1`),
  },
  {
    id: "mail-dmarc",
    severity: "warning",
    check: ({ settings, mailDomain: { hasDmarc } }) =>
      judgeRecord(settings, hasDmarc, (domain) => `a TXT record of _dmarc.${domain} with v=DMARC1`),
  },
];

function judgeRecord(
  settings: Environment,
  isThere: boolean | undefined,
  record: (domain: string) => string,
): Verdict {
  const domain = getDomain(settings.MAIL_FROM);
  if (settings.MAIL_DRIVER !== "smtp") return notApplicable("Mails do not go by SMTP.");
  if (isExampleDomain(domain)) return notApplicable("MAIL_FROM is nobody's address.");
  if (isThere === undefined) return notApplicable("DNS did not answer in time.");
  return isThere
    ? ok(`There is ${record(domain)}.`)
    : trouble(`Make ${record(domain)}: without it mail providers refuse or hide mails.`);
}

/**
 * Returns the organization's domain, accurate enough for a warning: the last two labels, which under co.uk and the
 * like are too few.
 */
const ownerOf = (host: string): string => host.split(".").slice(-2).join(".");
