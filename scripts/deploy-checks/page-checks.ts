import { getDomain, isExampleDomain } from "~/lib/example-domain";
import { errorCheck, notApplicable, ok, problem, warningCheck, type DeployCheck } from "./deploy-check";

/** The name of the product that this repository presents as an example, in its texts and links. */
const EXAMPLE_BRAND = "confer";
const BRAND_FILE = "app/content/brand.ts";

/** Checks of what visitors see on the landing page: whether it is the operator's own. */
export const pageChecks: readonly DeployCheck[] = [
  errorCheck("brand-name", ({ page: { brand } }) =>
    brand.name.trim().toLowerCase() === EXAMPLE_BRAND
      ? problem(
          `Put your product's name, tagline and copyright year into ${BRAND_FILE}: visitors see the example's, "${brand.name}" and © ${brand.copyrightYear}.`,
        )
      : ok(`The page presents ${brand.name}.`),
  ),
  errorCheck("contact-address", ({ page: { brand } }) =>
    isExampleDomain(getDomain(brand.contactEmail))
      ? problem(
          `Set contactEmail in ${BRAND_FILE}: visitors see ${brand.contactEmail}, a placeholder. MAIL_FROM does not change it.`,
        )
      : ok(`Visitors see ${brand.contactEmail} as the address to write to.`),
  ),
  errorCheck("social-links", ({ page: { brand } }) => {
    const examples = Object.values(brand.social).filter(isExampleLink);
    return examples.length === 0
      ? ok("The links to social networks are your own.")
      : problem(
          `Correct social in ${BRAND_FILE}: ${examples.join(", ")} ${examples.length === 1 ? "is" : "are"} not yours.`,
        );
  }),
  warningCheck("privacy-url", ({ page: { footer } }) => {
    if (footer === undefined) return notApplicable("The page's sources are not here.");
    return /privacy|datenschutz/i.test(footer.text)
      ? ok("The page's footer links to a privacy policy.")
      : problem(
          `Link to your privacy policy in ${footer.path}: nothing on the page does, and its forms collect names and addresses, which many countries allow only with one.`,
        );
  }),
];

/** Returns whether a link leads to the example's account at a social network, or nowhere. */
function isExampleLink(link: string): boolean {
  if (!URL.canParse(link)) return true;
  const { hostname, pathname } = new URL(link);
  const [last = ""] = pathname.split("/").filter(Boolean).slice(-1);
  return isExampleDomain(hostname) || last.toLowerCase() === EXAMPLE_BRAND;
}
