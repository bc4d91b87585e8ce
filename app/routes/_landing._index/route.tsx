import type { MetaFunction } from "@remix-run/node";
import { brand } from "~/brand";

export const meta: MetaFunction = () => [
  { title: `${brand.name}: ${brand.tagline}` },
  {
    name: "description",
    content: `${brand.name} records, transcribes and summarises a team's meetings, turns what was agreed into tasks, and keeps the conversation beside them. Sign up for early access.`,
  },
];

/** Nothing lies over the landing page. */
export default function LandingIndex() {
  return null;
}
