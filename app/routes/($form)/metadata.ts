import { brand } from "~/content/brand";
import type { FormName } from "./forms/form-state";

/** Title and description of the addresses where a form is open; the page itself has those of ~/discovery/landing-meta. */
export const formMeta: Record<FormName, { title: string; description: string }> = {
  "early-access": {
    title: `Sign up for early access · ${brand.name}`,
    description: `Be among the first teams to try ${brand.name}.`,
  },
  updates: {
    title: `Stay updated on ${brand.name}`,
    description: `A short email when something about ${brand.name} is finished, at most once a month.`,
  },
  contact: {
    title: `Contact · ${brand.name}`,
    description: `Questions, feedback or partnership ideas: write to the people who build ${brand.name}.`,
  },
};
