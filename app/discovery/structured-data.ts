import { brand } from "~/content/brand";
import { paths } from "~/paths";

export interface Question {
  readonly question: string;
  readonly answer: string;
}

interface Facts {
  origin: string;
  /** Absolute, as `logo`. */
  image: string;
  logo: string;
  description: string;
  faqs: readonly Question[];
}

/**
 * Who stands behind the page, what it offers and what it answers, in the words of schema.org. Nothing here that the page
 * does not show (Google, "General structured data guidelines"); no price or rating: there is none yet.
 */
export function structuredData({ origin, image, logo, description, faqs }: Facts) {
  const address = origin + paths.landing;
  const organization = { "@id": `${address}#organization` };
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Organization",
        ...organization,
        name: brand.name,
        url: address,
        logo,
        email: brand.contactEmail,
        sameAs: Object.values(brand.social),
      },
      {
        "@type": "WebSite",
        "@id": `${address}#website`,
        name: brand.name,
        url: address,
        inLanguage: "en",
        publisher: organization,
      },
      {
        "@type": "SoftwareApplication",
        "@id": `${address}#software`,
        name: brand.name,
        url: address,
        image,
        description,
        applicationCategory: "BusinessApplication",
        operatingSystem: "Web",
        publisher: organization,
      },
      {
        "@type": "FAQPage",
        "@id": `${address}#faqs`,
        mainEntity: faqs.map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        })),
      },
    ],
  };
}
