/** Every brand word, link and app-type spelling. Nothing else in the source names the suite. */
export const brand = {
  /** The product being launched. */
  name: "Confer",
  tagline: "One calm place for a team’s meetings, tasks and chat",
  /** Who the mails are from (specification, section 9: default sender label: the team). */
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
