import type { MetaDescriptor } from "@remix-run/node";
import { brand } from "~/content/brand";
import { paths } from "~/paths";

interface LandingFacts {
  /** The public origin, without a path: previews and search engines accept absolute addresses only. */
  origin: string;
  /** Paths of the brand's images: the preview card (1200 x 630) and the mark. */
  images: { card: string; logo: string };
  faqs: readonly { question: string; answer: string }[];
  /** Title and description of a form's own address; the landing page's when left out. */
  form?: { title: string; description: string };
}

const title = `${brand.name}: ${brand.tagline}`;
const description = `${brand.name} records, transcribes and summarises a team’s meetings, turns what was agreed into tasks, and keeps the conversation beside them. Sign up for early access.`;

/** Returns the landing page's meta tags; almost the same where a form covers it, because its addresses count as one. */
export function landingMeta(facts: LandingFacts): MetaDescriptor[] {
  const { origin, images, form } = facts;
  const property = (name: string, content: string) => ({ property: `og:${name}`, content });
  return [
    { title: form?.title ?? title },
    { name: "description", content: form?.description ?? description },
    { tagName: "link", rel: "canonical", href: origin + paths.landing },
    property("type", "website"),
    property("site_name", brand.name),
    property("locale", "en"),
    property("url", origin + paths.landing),
    property("title", title),
    property("description", description),
    property("image", origin + images.card),
    property("image:type", "image/png"),
    property("image:width", "1200"),
    property("image:height", "630"),
    property("image:alt", `The mark of ${brand.name}, and the words: ${brand.tagline}.`),
    // Twitter takes the other names from the og: tags.
    { name: "twitter:card", content: "summary_large_image" },
    { "script:ld+json": structuredData(facts) },
  ];
}

/** Describes in schema.org's terms what the page shows, and only that (Google, "General structured data guidelines"). */
function structuredData({ origin, images, faqs }: LandingFacts) {
  const url = origin + paths.landing;
  const organization = { "@id": `${url}#organization` };
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Organization",
        ...organization,
        name: brand.name,
        url,
        logo: origin + images.logo,
        email: brand.contactEmail,
        sameAs: Object.values(brand.social),
      },
      {
        "@type": "WebSite",
        "@id": `${url}#website`,
        name: brand.name,
        url,
        inLanguage: "en",
        publisher: organization,
      },
      {
        "@type": "SoftwareApplication",
        "@id": `${url}#software`,
        name: brand.name,
        url,
        image: origin + images.card,
        description,
        applicationCategory: "BusinessApplication",
        operatingSystem: "Web",
        publisher: organization,
      },
      {
        "@type": "FAQPage",
        "@id": `${url}#faqs`,
        mainEntity: faqs.map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        })),
      },
    ],
  };
}
