/** Every URL of the product, once. */
export const paths = {
  landing: "/",
  earlyAccess: "/early-access",
  updates: "/updates",
  contact: "/contact",
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  login: "/login",
  logout: "/logout",
  unauthorized: "/unauthorized",
  admin: "/admin",
  dashboard: "/admin/dashboard",
  users: "/admin/users",
  passwordReset: "/admin/password-reset",
  outbox: "/admin/outbox",
  outboxMail: (id: string) => `/admin/outbox/${id}`,
  outreachSend: (id: string) => `/admin/outreach/${id}`,
} as const;

/** Anchors on the landing page. */
export const anchors = { about: "about", faqs: "faqs", contact: "contact" } as const;
