import { brand } from "~/brand";
import type { FormName } from "./forms/form-state";

const landing = {
  title: `${brand.name}: ${brand.tagline}`,
  description: `${brand.name} records, transcribes and summarises a team's meetings, turns what was agreed into tasks, and keeps the conversation beside them. Sign up for early access.`,
};

const ofForm: Record<FormName, typeof landing> = {
  "early-access": {
    title: `Sign up for early access · ${brand.name}`,
    description: `Be among the first teams to try ${brand.name}.`,
  },
  updates: {
    title: `Stay updated on ${brand.name}`,
    description: `A short mail when something about ${brand.name} is finished, at most once a month.`,
  },
  contact: {
    title: `Contact · ${brand.name}`,
    description: `Questions, feedback or partnership ideas: write to the people who build ${brand.name}.`,
  },
};

/** Title and description of each of the page's four addresses. */
export function describeLanding(form: FormName | undefined): typeof landing {
  return form ? ofForm[form] : landing;
}
