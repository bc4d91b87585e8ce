import type { Brand } from "./brand";

/**
 * Returns the sentences of the landing page and its forms, in the page's order. Those marked with their section are the
 * specification's, to the letter. Elsewhere are what forms answer (messages.ts), field errors (app/lib/form-fields.ts), and
 * the card that asks for notifications (push-messages.ts), which only some visitors download.
 */
export function getLandingTexts({ name }: Brand) {
  return {
    /** Also on the preview card of a shared link: after a change, npm run images. */
    tagline: "One calm place for a team’s meetings, tasks and chat",
    /** Of search results and link previews. */
    description: `${name} records, transcribes and summarises a team’s meetings, turns what was agreed into tasks, and keeps the conversation beside them. Sign up for early access.`,
    navigation: {
      skip: "Skip to the content",
      label: "Main",
      toTop: `${name}, to the top of the page`,
      menu: "Menu",
      // Specification, section 2.
      about: "About",
      faqs: "FAQs",
      contact: "Contact",
      scrollToTop: "Scroll to top",
      scrollToBottom: "Scroll to bottom",
    },
    hero: {
      headline: "The meeting ends. The work is already written down.",
      intro: `${name} is one calm place for a team’s meetings, tasks and chat. It listens, writes the summary, and gives what was agreed an owner and a date.`,
      /** Specification, section 2. */
      updates: "Sign Up for Updates",
      more: `See how ${name} works`,
    },
    about: {
      headline: "Most work is agreed out loud, then lost",
      text: `Teams decide well and remember badly. What was said in a meeting is typed again into a task list, and explained again in a chat. ${name} is built so that it is said once.`,
      promisesTitle: "What we promise",
      promises: [
        {
          promise: "You always know when it listens",
          meaning:
            "Everyone in the room is told before the first word is kept, and anyone can stop the recording.",
        },
        {
          promise: "A summary you can check",
          meaning:
            "Each sentence leads back to the moment it was said. If the summary is wrong, you see it at once.",
        },
        {
          promise: "Your words stay your company’s",
          meaning:
            "They are kept apart from every other company’s, and you can take them with you or have them deleted.",
        },
        {
          promise: "No fourth tool to look after",
          meaning:
            "Meetings, tasks and chat know each other. What is done in one place is done in all of them.",
        },
      ],
      valuesTitle: "Our core values",
      values: [
        { value: "Clarity", meaning: "Say what was decided, by whom, and until when." },
        { value: "Calm", meaning: "Fewer messages, each one worth opening." },
        { value: "Care", meaning: "With people’s words, and with their time." },
        { value: "Candour", meaning: "Say what is finished, and what is not." },
      ],
    },
    features: {
      headline: "From the first word to the last task",
      text: `Four parts of ${name} follow the same conversation. Here they are with the meeting from above.`,
      /** Specification, section 2. */
      earlyAccess: "Sign Up for Early Access",
      insights: {
        title: "AI meeting insights",
        text: "Records, transcribes and summarises the meeting, and shows where each decision fell. Jump to the minute instead of listening to the hour.",
      },
      tasks: {
        title: "Smart task management",
        text: "Assign, track and complete. Each task knows the sentence it came from.",
      },
      chat: {
        title: "Integrated chat",
        text: "A thread for every piece of work, with its meeting and its tasks in it. No links to copy, no context to repeat.",
      },
      tenants: {
        title: "Multi-tenant framework",
        text: "Each company works in a secure environment of its own: its people, its recordings, its rules. Nothing passes the wall.",
      },
    },
    /** Headline, figures and their units: specification, section 2. */
    building: {
      headline: "Building the Future Together!",
      text: `${name} is in development. The teams who sign up early see it first, and what they tell us decides what comes next.`,
      figures: [
        {
          figure: "6+",
          unit: "months to beta",
          meaning: "Then the first teams on the early access list are invited.",
        },
        {
          figure: "100%",
          unit: "commitment",
          meaning: "One team, one product, nothing else on the side.",
        },
        { figure: "10+", unit: "advanced features", meaning: "Each is finished before it is announced." },
      ],
    },
    faqsHeadline: "Three things people ask first",
    /** Also in the page's structured data (app/discovery/landing-meta.ts). */
    faqs: [
      {
        id: "when",
        question: `When can our team use ${name}?`,
        answer:
          "The beta is about six months away. We invite people from the early access list first, a few teams at a time, so that each gets our attention. You will get one email when it is your turn.",
      },
      {
        id: "privacy",
        question: "Who can read what was said in our meetings?",
        answer:
          "The people who were in the meeting, and those they share it with. Every company has a secure environment of its own, so nothing you record can be seen or searched by another one. Everyone is told before a recording starts.",
      },
      {
        id: "address",
        question: "What happens to my email address?",
        answer:
          "We keep it to invite you and to write when there is something to try. We do not sell it or pass it on. Every email has a link that takes you off the list at once, without a password and without questions.",
      },
    ],
    contact: {
      /** Specification, section 2. */
      headline: "Have questions, feedback, or partnership ideas?",
      text: `Write to us. Every message is read by one of the people who build ${name}, and gets an answer from the same person. If you would rather use your own email:`,
    },
    /** The forms, by the last part of their addresses. `title` and `description` are of that address, in search results. */
    forms: {
      nextLabel: "What happens next:",
      close: "Close",
      "early-access": {
        title: `Sign up for early access · ${name}`,
        description: `Be among the first teams to try ${name}.`,
        /** Specification, section 2; the button has the same words. */
        heading: "Sign Up for Early Access",
        intro: `Be among the first teams to try ${name}. The beta is about six months away.`,
        busy: "Signing Up...",
        next: "you are on the list at once, and we write when your team’s turn comes.",
        /** With DOUBLE_OPT_IN=all. */
        nextConfirm: "we email you a link to confirm that the address is yours.",
        thanks:
          "You are on the list. We write to you when the beta opens for your team, in about six months, and not before there is something to try.",
        name: "Full Name",
        email: "Email Address",
        emailHint: "Your invitation goes here.",
        company: "Company",
        companyHint: "So that colleagues are invited together.",
        role: "Role",
        roleHint: "So that we show you the right part first.",
        roles: {
          "": "Rather not say",
          executive: "Executive",
          manager: "Manager",
          developer: "Developer",
          other: "Other",
        },
        /** With HEARD_FROM. */
        heardFrom: "How did you hear of us?",
        heardFromAnswers: {
          "": "Rather not say",
          "search engine": "Search engine",
          "social media": "Social media",
          "friend or colleague": "Friend or colleague",
          "article or podcast": "Article or podcast",
          event: "Event",
          other: "Other",
        },
      },
      updates: {
        title: `Stay updated on ${name}`,
        description: `A short email when something about ${name} is finished, at most once a month.`,
        /** Specification, section 2. */
        heading: `Stay Updated on ${name}`,
        intro: "A short email when something is finished, at most once a month.",
        button: "Sign Up for Updates",
        busy: "Signing Up...",
        next: "the next email comes to you too.",
        /** With DOUBLE_OPT_IN. */
        nextConfirm: "we email you a link to confirm that the address is yours.",
        thanks: "You are on the list. The next email is about something you can look at, not about a plan.",
        name: "Full Name",
        nameHint: "So that our emails greet you by name.",
        email: "Email",
        emailHint: "Our emails go here. We do not share it.",
      },
      contact: {
        title: `Contact · ${name}`,
        description: `Questions, feedback or partnership ideas: write to the people who build ${name}.`,
        button: "Send Message",
        busy: "Sending...",
        next: "one of us reads it and answers, as a rule within two working days.",
        name: "Full Name",
        email: "Email",
        inquiryType: "Inquiry Type",
        inquiryTypeHint: "So that the right person reads it.",
        inquiryTypes: {
          "": "Please choose",
          general: "General",
          partnership: "Partnership",
          support: "Support",
        },
        message: "Message",
        /** @param maximum "5,000" */
        messageHint: (maximum: string) => `Up to ${maximum} characters.`,
      },
    },
    /** What people agree to by sending a form. It is stored with what they sent: a changed wording needs a new version. */
    consents: {
      version: "2026-12",
      "early-access":
        "By signing up you agree that we keep these details and write to you about early access. Every email has a link to unsubscribe.",
      updates: `By signing up you agree that we keep these details and write to you about ${name}. Every email has a link to unsubscribe.`,
      contact:
        "By sending this you agree that we keep these details and write to you about your inquiry. Emails that go to many people have a link to unsubscribe; an answer to you has none.",
    },
    /** Specification, section 2. */
    networks: { linkedin: "LinkedIn", twitter: "Twitter", instagram: "Instagram" },
    /** PRIVACY_URL: in the footer, and after the consent of each form. IMPRINT_URL: in the footer. */
    links: { privacy: "Privacy policy", imprint: "Imprint", newTab: "(opens in a new tab)" },
    /** The year: specification, section 2. */
    copyright: `© 2025 ${name}. All rights reserved.`,
  };
}
