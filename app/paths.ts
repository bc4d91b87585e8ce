/** Every URL of the product, once. */
export const paths = {
  landing: "/",
  earlyAccess: "/early-access",
  updates: "/updates",
  contact: "/contact",
  confirmUpdates: (token: string) => `/updates/confirm/${token}`,
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  login: "/login",
  logout: "/logout",
  unauthorized: "/unauthorized",
  admin: "/admin",
  dashboard: "/admin/dashboard",
  appearance: "/admin/appearance",
  users: "/admin/users",
  passwordReset: "/admin/password-reset",
  activity: "/admin/activity",
  activityExport: "/admin/activity/export",
  sessions: "/admin/sessions",
  outbox: "/admin/outbox",
  outboxMail: (id: string) => `/admin/outbox/${id}`,
  robots: "/robots.txt",
  sitemap: "/sitemap.xml",
  webManifest: "/site.webmanifest",
  outreachSend: (id: string) => `/admin/outreach/${id}`,
  quarantine: "/admin/quarantine",
} as const;

/** Anchors on the landing page. */
export const anchors = { about: "about", faqs: "faqs", contact: "contact" } as const;
