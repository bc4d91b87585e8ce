import type { MetaDescriptor } from "@remix-run/node";
import type { Brand } from "~/content/brand";
import type { getLandingTexts } from "~/content/landing";
import { paths } from "~/paths";

interface LandingFacts {
  brand: Brand;
  texts: ReturnType<typeof getLandingTexts>;
  /** The public origin, without a path: previews and search engines accept absolute addresses only. */
  origin: string;
  /** Paths of the brand's images: the preview card (1200 x 630) and the mark. */
  images: { card: string; logo: string };
  /** Title and description of a form's own address; the landing page's when left out. */
  form?: { title: string; description: string };
}

/** Returns the landing page's meta tags; almost the same where a form covers it, because its addresses count as one. */
export function landingMeta(facts: LandingFacts): MetaDescriptor[] {
  const { brand, texts, origin, images, form } = facts;
  const { tagline, description } = texts;
  const title = `${brand.name}: ${tagline}`;
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
    property("image:alt", `The mark of ${brand.name}, and the words: ${tagline}.`),
    // Twitter takes the other names from the og: tags.
    { name: "twitter:card", content: "summary_large_image" },
    { "script:ld+json": structuredData(facts) },
  ];
}

/** Describes in schema.org's terms what the page shows, and only that (Google, "General structured data guidelines"). */
function structuredData({ brand, texts, origin, images }: LandingFacts) {
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
        sameAs: Object.values(brand.social).filter(Boolean),
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
        description: texts.description,
        applicationCategory: "BusinessApplication",
        operatingSystem: "Web",
        publisher: organization,
      },
      {
        "@type": "FAQPage",
        "@id": `${url}#faqs`,
        mainEntity: texts.faqs.map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        })),
      },
    ],
  };
}
