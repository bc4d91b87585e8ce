import { formatCount, grouped } from "~/lib/format-number";

export const shellMessages = {
  themes: { system: "Theme of the device", light: "Light theme", dark: "Dark theme" },
  logout: "Logout",
  search: {
    title: "Search",
    state: "Search by the start of a name or title, or by any part of an email or company.",
    field: "Search the back office",
    submit: "Search",
    placeholder: "A name, an email, a company, a screen",
    /** For screen readers, in the palette. */
    results: "Results",
    found: (count: number) => formatCount(count, "result"),
    groups: {
      actions: "Screens and actions",
      people: "People",
      campaigns: "Campaigns",
      templates: "Templates",
      views: "Saved views",
      notifications: "Notifications",
      emails: "Emails in the outbox",
      accounts: "Accounts",
    },
    /** For groups that search only their newest rows. */
    among: (count: number) => `Searched: the newest ${grouped(count)}.`,
    morePeople: "Show all people found",
    allTemplates: "Show all templates",
    allViews: "Show all saved views",
    forms: { "early-access": "Early access", "contact-form": "Contact", "updates-signup": "Updates" },
    nothingTitle: (typed: string) => `No results for “${typed}”`,
    nothing:
      "Search people by the start of their name or any part of their email or company, campaigns by title, and templates, saved views and screens by name.",
    failed: "The search could not be reached. Nothing on the page was changed; please try again.",
    openPage: "Open as a page",
    paletteHint: "Use arrows to choose, Enter to open, Escape to close.",
  },
  shortcuts: {
    title: "Keyboard shortcuts",
    /** The short label, where space is limited. */
    short: "Keys",
    state: { on: "Single keys are on.", off: "Single keys are off; Ctrl K still opens the search." },
    general: "Everywhere",
    inLists: "In lists",
    list: {
      next: "Next row",
      previous: "Previous row",
      open: "Open it",
      select: "Select it",
      extend: "Select more",
      remove: "Delete, after a question",
      back: "Clear the selection, or go back to the list",
    },
    arrows: { down: "Down arrow", up: "Up arrow" },
    goTo: "Go to",
    palette: "Search, and go to a screen",
    focusSearch: "Search",
    sheet: "These shortcuts",
    then: "then",
    or: "or",
    off: "Turn single keys off",
    on: "Turn single keys on",
    why: "Single keys do nothing while you type in a field or a dialog is open. Turn them off if speech input triggers them. This browser remembers your choice.",
    close: "Close",
  },
  status: {
    /** For screen readers, before the name of the zone. */
    times: "Times in",
    useZone: (timeZone: string) => `Use ${timeZone}`,
    sending: (active: number, paused: number) => {
      const parts = [active > 0 && `${grouped(active)} active`, paused > 0 && `${grouped(paused)} paused`];
      return `Sending: ${parts.filter(Boolean).join(", ") || "nothing"}`;
    },
    /** Follows the name of the mail driver. */
    mailProblems: { unreachable: "unreachable", unauthorized: "login or sender rejected" },
    unreached: "An alert was not delivered",
    /** After the mail driver and its problem. */
    allowance: {
      left: (remaining: number, limit: number) => `${grouped(remaining)} of ${grouped(limit)} left today`,
      /** The same, where space is limited. */
      short: (remaining: number) => `${grouped(remaining)} left`,
      /** @param resetsAt hour and minute. */
      rest: (keptFree: number, resetsAt: string) =>
        `${keptFree > 0 ? `, ${grouped(keptFree)} kept free` : ""}, resets at ${resetsAt}`,
    },
    mirrors: (names: readonly string[]) => `Mirrors: ${names.join(", ") || "none"}`,
    push: (name: string) => `Push: ${name}`,
    /** The platform's uses follow. */
    platform: "Platform",
    platformUses: { tenants: "companies", logs: "logs", resources: "resources", broadcasts: "broadcasts" },
  },
} as const;
