import type { Brand } from "~/content/brand";
import type { Environment } from "~/env.server";

/** Returns what pages and emails say of the product. */
export function composeBrand(environment: Environment): Brand {
  const { BRAND_NAME: name, SOCIAL_LINKEDIN, SOCIAL_TWITTER, SOCIAL_INSTAGRAM } = environment;
  return {
    name,
    senderLabel: environment.SENDER_LABEL ?? `The ${name} team`,
    contactEmail: environment.CONTACT_EMAIL,
    social: {
      linkedin: toLink(SOCIAL_LINKEDIN),
      twitter: toLink(SOCIAL_TWITTER),
      instagram: toLink(SOCIAL_INSTAGRAM),
    },
    privacyUrl: environment.PRIVACY_URL,
    imprintUrl: environment.IMPRINT_URL,
  };
}

const toLink = (setting: string) => (setting === "none" ? undefined : setting);
