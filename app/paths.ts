/** Every URL of the product; those of the API that no page links to are in their calls (app/api/call.server.ts). */
export const paths = {
  landing: "/",
  earlyAccess: "/early-access",
  updates: "/updates",
  contact: "/contact",
  confirmUpdates: (token: string) => `/updates/confirm/${token}`,
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  login: "/login",
  loginCode: "/login/second-factor",
  sessionEnded: "/login/session-ended",
  logout: "/logout",
  unauthorized: "/unauthorized",
  admin: "/admin",
  dashboard: "/admin/dashboard",
  latestCampaigns: "/admin/dashboard#latest-campaigns",
  outreach: "/admin/dashboard#outreach",
  appearance: "/admin/appearance",
  users: "/admin/users",
  passwordReset: "/admin/password-reset",
  search: "/admin/search",
  /** The results of a search; with `of`, those of one group. */
  searchResults: (typed: string, of?: "people") =>
    `/admin/search?${new URLSearchParams({ q: typed, ...(of ? { of } : {}) })}`,
  shortcuts: "/admin/shortcuts",
  activity: "/admin/activity",
  activityExport: "/admin/activity/export",
  logs: "/admin/logs",
  logsExport: "/admin/logs/export",
  /** Polled by a live log; the guard does not log it (server/observability/request-log.ts). */
  logsNewest: "/admin/logs/newest",
  /** `from` is the search of the list it was found in, for the link back. */
  logLine: (id: number, from = "") =>
    `/admin/logs/${id}${from === "" ? "" : `?${new URLSearchParams({ from })}`}`,
  logSearch: (typed: string) => `/admin/logs?${new URLSearchParams({ q: typed })}`,
  sessions: "/admin/sessions",
  secondFactor: "/admin/second-factor",
  recoveryCodesFile: "/admin/second-factor/codes",
  /** The specification's spelling (section 2). Its route's folder has to share it; nothing else does. */
  resources: "/admin/resouces-monitor",
  outbox: "/admin/outbox",
  outboxEmail: (id: string) => `/admin/outbox/${encodeURIComponent(id)}`,
  outboxBody: (id: string) => `/admin/outbox/${encodeURIComponent(id)}/body`,
  outboxFile: (id: string) => `/admin/outbox/${encodeURIComponent(id)}/file`,
  tokens: "/admin/tokens",
  /** Served by this product under the specification's names (section 7). */
  apiSendEmail: "/api/Email/send-email",
  sitemap: "/sitemap.xml",
  webManifest: "/site.webmanifest",
  campaigns: "/admin/outreach",
  backOfficeManifest: "/back-office.webmanifest",
  pushWorker: "/firebase-messaging-sw.js",
  /** The scope of the push worker; nothing is served there. */
  pushScope: "/firebase-cloud-messaging-push-scope",
  visitorApi: "/api/visitor",
  deviceTokenApi: "/api/DeviceToken",
  outreachCampaign: (id: string) => `/admin/outreach/${encodeURIComponent(id)}`,
  outreachExport: (id: string) => `/admin/outreach/${encodeURIComponent(id)}/export`,
  outreachEmail: (id: string) => `/admin/outreach/${encodeURIComponent(id)}/mail`,
  notifications: "/admin/notifications",
  broadcast: (id: string) => `/admin/notifications/${encodeURIComponent(id)}`,
  broadcastExport: (id: string) => `/admin/notifications/${encodeURIComponent(id)}/export`,
  mirrors: "/admin/mirrors",
  quarantine: "/admin/quarantine",
  suppressions: "/admin/suppressions",
  suppressionsAdd: "/admin/suppressions/add",
  suppressionsExport: "/admin/suppressions/export",
  /** Takes the id of any of the person's submissions: an address in a URL would appear in every log. */
  person: (submissionId: string) => `/admin/people/${encodeURIComponent(submissionId)}`,
  personExport: (submissionId: string) => `/admin/people/${encodeURIComponent(submissionId)}/export`,
  submissions: "/admin/submissions",
  submissionTable: (kind: string) => `/admin/submissions/${kind}`,
  submissionsUnconfirmed: "/admin/submissions/unconfirmed",
  submissionsExport: (kind: string) => `/admin/submissions/${kind}/export`,
} as const;

/** Anchors on the landing page. */
export const anchors = { about: "about", faqs: "faqs", contact: "contact" } as const;
