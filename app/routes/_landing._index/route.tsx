import type { MetaFunction } from "@remix-run/node";
import logo from "brand-image:icon-512.png";
import card from "brand-image:social-card.png";
import { landingMeta } from "~/discovery/landing-meta";
import { origin } from "~/services/container.server";
import { faqs } from "../_landing/faqs";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data ? landingMeta({ origin: data.origin, images: { card, logo }, faqs }) : [];

export function loader() {
  return { origin };
}

/** Nothing lies over the landing page. */
export default function LandingIndex() {
  return null;
}
