import { getDomain, isExampleDomain } from "~/lib/example-domain";
import { errorCheck, ok, problem, warningCheck, type SetupCheck } from "./setup-check";

/** The example product's name: what BRAND_NAME and the social links say until the operator sets them. */
const EXAMPLE_BRAND = "confer";
const SOCIAL_LINKS = ["SOCIAL_LINKEDIN", "SOCIAL_TWITTER", "SOCIAL_INSTAGRAM"] as const;

/** Checks of what visitors see on the landing page: whether it is the operator's own. */
export const pageChecks: readonly SetupCheck[] = [
  errorCheck("brand-name", ["BRAND_NAME"], ({ settings: { BRAND_NAME: name } }) =>
    name.toLowerCase() === EXAMPLE_BRAND
      ? problem(
          `Set BRAND_NAME to your product's name: visitors see the example's, "${name}". The page's sentences are in app/content/landing.ts (docs/branding.md).`,
        )
      : ok(`The page presents ${name}.`),
  ),
  errorCheck("contact-address", ["CONTACT_EMAIL"], ({ settings: { CONTACT_EMAIL: address } }) =>
    isExampleDomain(getDomain(address))
      ? problem(`Set CONTACT_EMAIL: visitors see ${address}, a placeholder. MAIL_FROM does not change it.`)
      : ok(`Visitors see ${address} as the address to write to.`),
  ),
  errorCheck("social-links", SOCIAL_LINKS, ({ settings }) => {
    const examples = SOCIAL_LINKS.filter((name) => isExampleLink(settings[name]));
    const links = examples.map((name) => settings[name]).join(", ");
    return examples.length === 0
      ? ok("No link leads to the example's social networks.")
      : problem(
          `Set ${examples.join(", ")} to your own, or to none: ${links} ${examples.length === 1 ? "is" : "are"} not yours.`,
        );
  }),
  warningCheck("privacy-url", ["PRIVACY_URL"], ({ settings: { PRIVACY_URL: url } }) =>
    url === undefined
      ? problem(
          "Set PRIVACY_URL to your privacy policy: nothing on the page links to one, and its forms collect names and addresses, which many countries allow only with one.",
        )
      : ok(`The footer and each form link to ${url}.`),
  ),
];

/** Returns whether a link leads to the example's account at a social network, or to a reserved example domain. */
function isExampleLink(link: string): boolean {
  // The setting's word for no link.
  if (link === "none") return false;
  const { hostname, pathname } = new URL(link);
  const account = pathname.split("/").filter(Boolean).at(-1) ?? "";
  return isExampleDomain(hostname) || account.toLowerCase() === EXAMPLE_BRAND;
}
