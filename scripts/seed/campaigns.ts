import { brand } from "~/content/brand";
import type { SubmissionKind } from "~/db/tables/submissions";

interface Campaign {
  readonly audience: SubmissionKind;
  readonly title: string;
  readonly message: string;
}

const SIGNED = `\n\n${brand.senderLabel}`;

/** The seeded campaigns. */
export const CAMPAIGNS = {
  welcome: {
    audience: "early-access",
    title: "You are on the list, {{name}}",
    message: `Hello {{name}},\n\nthank you for asking for early access to ${brand.name}. We let people in step by step and write to you as soon as it is your turn.${SIGNED}`,
  },
  progress: {
    audience: "updates-signup",
    title: "What we have been building",
    message: `Hello {{name}},\n\nmeetings, tasks and chat now share one search, and notes write themselves into tasks. There is more at https://example.com/news.${SIGNED}`,
  },
  thanks: {
    audience: "contact-form",
    title: "Thank you for writing to us",
    message: `Hello {{name}},\n\nwe have read your message and answer it within the week.${SIGNED}`,
  },
  preview: {
    audience: "early-access",
    title: "A first look, for you",
    message: `Hello {{name}},\n\nthe preview opens today: https://example.com/preview. Tell us what is missing, we read everything.${SIGNED}`,
  },
  invitation: {
    audience: "updates-signup",
    title: "Come and see it live",
    message: `Hello {{name}},\n\nwe show ${brand.name} on Thursday at 16:00 UTC, with time for questions.${SIGNED}`,
  },
  opening: {
    audience: "early-access",
    title: `${brand.name} opens`,
    message: `Hello {{name}},\n\nfrom today on you can invite your whole team.${SIGNED}`,
  },
  survey: {
    audience: "early-access",
    title: "Three questions about your week",
    message: "Hello {{name}},\n\nwhich meeting would you gladly be without?",
  },
  webinar: {
    audience: "updates-signup",
    title: "An hour about calm work",
    message: "Hello {{name}},\n\n",
  },
  untitled: { audience: "contact-form", title: "", message: "Dear {{name}}," },
} as const satisfies Record<string, Campaign>;

export type CampaignName = keyof typeof CAMPAIGNS;
