/** All brand names, links and app types. Nothing else in the source names the suite. */
export const brand = {
  /** The product being launched. */
  name: "Confer",
  tagline: "One calm place for a team’s meetings, tasks and chat",
  /** Sender name of the emails (specification, section 9: default sender label: the team). */
  senderLabel: "The Confer team",
  appTypes: { landing: "confer-landing", application: "confer-app" },
  social: {
    linkedin: "https://www.linkedin.com/company/confer",
    twitter: "https://twitter.com/confer",
    instagram: "https://www.instagram.com/confer",
  },
  contactEmail: "hello@example.com",
  copyrightYear: 2025,
} as const;

/** Returns the document title of a page of the back office. */
export const backOfficeTitle = (page: string) => `${page} · ${brand.name} back office`;
