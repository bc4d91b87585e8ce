import type { MetaDescriptor } from "@remix-run/node";
import { brand } from "~/content/brand";
import { paths } from "~/paths";
import { structuredData, type Question } from "./structured-data";

interface LandingFacts {
  /** The address people use, without a path: previews and search engines take absolute addresses only. */
  origin: string;
  /** Paths of the brand's pictures: the card of 1200 x 630 and the mark. */
  images: { card: string; logo: string };
  /** The questions and answers the page shows. */
  faqs: readonly Question[];
  /** Title and description of a form's own address; without them the page's. */
  form?: { title: string; description: string };
}

const title = `${brand.name}: ${brand.tagline}`;
const description = `${brand.name} records, transcribes and summarises a team’s meetings, turns what was agreed into tasks, and keeps the conversation beside them. Sign up for early access.`;

/**
 * What search engines and link previews are told about the landing page: also where a form lies over it, because /updates
 * and /early-access are the same page and should count as one.
 */
export function landingMeta({ origin, images, faqs, form }: LandingFacts): MetaDescriptor[] {
  const address = origin + paths.landing;
  const image = origin + images.card;
  const property = (name: string, content: string) => ({ property: `og:${name}`, content });
  return [
    { title: form?.title ?? title },
    { name: "description", content: form?.description ?? description },
    { tagName: "link", rel: "canonical", href: address },
    property("type", "website"),
    property("site_name", brand.name),
    property("locale", "en"),
    property("url", address),
    property("title", title),
    property("description", description),
    property("image", image),
    property("image:type", "image/png"),
    property("image:width", "1200"),
    property("image:height", "630"),
    property("image:alt", `The mark of ${brand.name}, and the words: ${brand.tagline}.`),
    // What is not said here Twitter takes from the og: names.
    { name: "twitter:card", content: "summary_large_image" },
    { "script:ld+json": structuredData({ origin, image, logo: origin + images.logo, description, faqs }) },
  ];
}
