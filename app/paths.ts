/** Every URL of the product; those of the API that no page links to are in their calls (app/api/call.server.ts). */
export const paths = {
  landing: "/",
  earlyAccess: "/early-access",
  updates: "/updates",
  contact: "/contact",
  confirmUpdates: (token: string) => `/updates/confirm/${token}`,
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  invitation: (token: string) => `/invitation/${token}`,
  invite: (code: string) => `/i/${code}`,
  confirmEmail: (token: string) => `/confirm-email/${token}`,
  login: "/login",
  loginCode: "/login/second-factor",
  sessionEnded: "/login/session-ended",
  logout: "/logout",
  unauthorized: "/unauthorized",
  admin: "/admin",
  dashboard: "/admin/dashboard",
  sources: "/admin/dashboard/sources",
  funnel: "/admin/dashboard/funnel",
  latestCampaigns: "/admin/dashboard#latest-campaigns",
  /** Where a draft is written. */
  outreachPanel: "/admin/dashboard#outreach",
  appearance: "/admin/appearance",
  account: "/admin/account",
  ownTimeZone: "/admin/account#time-zone",
  /** Leads to the form on the account screen. */
  timeZone: "/admin/time-zone",
  users: "/admin/users",
  passwordReset: "/admin/password-reset",
  search: "/admin/search",
  searchResults: (typed: string) => `/admin/search?${new URLSearchParams({ q: typed })}`,
  peopleFound: (typed: string) => `/admin/people?${new URLSearchParams({ q: typed })}`,
  savedViews: "/admin/views",
  shortcuts: "/admin/shortcuts",
  activity: "/admin/activity",
  activityExport: "/admin/activity/export",
  logs: "/admin/logs",
  logsExport: "/admin/logs/export",
  /** Polled by a live log; the guard does not log it (server/observability/request-log.ts). */
  logsNewest: "/admin/logs/newest",
  logLine: (id: number) => `/admin/logs/${id}`,
  logSearch: (typed: string) => `/admin/logs?${new URLSearchParams({ q: typed })}`,
  sessions: "/admin/sessions",
  alerts: "/admin/alerts",
  secondFactor: "/admin/second-factor",
  recoveryCodesFile: "/admin/second-factor/codes",
  /** The specification's spelling (section 2). Its route's folder has to share it; nothing else does. */
  resources: "/admin/resouces-monitor",
  outbox: "/admin/outbox",
  outboxEmail: (id: string) => `/admin/outbox/${encodeURIComponent(id)}`,
  outboxBody: (id: string) => `/admin/outbox/${encodeURIComponent(id)}/body`,
  outboxFile: (id: string) => `/admin/outbox/${encodeURIComponent(id)}/file`,
  setup: "/admin/setup",
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
  automatic: "/admin/automatic",
  automaticRule: (rule: string) => `/admin/automatic/${encodeURIComponent(rule)}`,
  automaticMail: (rule: string) => `/admin/automatic/${encodeURIComponent(rule)}/mail`,
  automaticSent: (id: string) => `/admin/automatic/sent/${encodeURIComponent(id)}`,
  templates: "/admin/templates",
  newTemplate: "/admin/templates/new",
  template: (id: string) => `/admin/templates/${encodeURIComponent(id)}`,
  templateEmail: (id: string) => `/admin/templates/${encodeURIComponent(id)}/mail`,
  notifications: "/admin/notifications",
  broadcast: (id: string) => `/admin/notifications/${encodeURIComponent(id)}`,
  broadcastExport: (id: string) => `/admin/notifications/${encodeURIComponent(id)}/export`,
  mirrors: "/admin/mirrors",
  quarantine: "/admin/quarantine",
  suppressions: "/admin/suppressions",
  suppressionsAdd: "/admin/suppressions/add",
  suppressionsExport: "/admin/suppressions/export",
  people: "/admin/people",
  peopleExport: "/admin/people/export",
  peopleImports: "/admin/people/import",
  peopleImport: (id: string) => `/admin/people/import/${encodeURIComponent(id)}`,
  peopleImportColumns: (id: string) => `/admin/people/import/${encodeURIComponent(id)}/columns`,
  peopleImportRest: (id: string) => `/admin/people/import/${encodeURIComponent(id)}/rest`,
  peopleOfCompany: (company: string) => `/admin/people?${new URLSearchParams({ company })}`,
  peopleOfDomain: (domain: string) => `/admin/people?${new URLSearchParams({ domain })}`,
  /** By an id, because an address in a URL would appear in every log. */
  person: (id: string) => `/admin/people/${encodeURIComponent(id)}`,
  personExport: (id: string) => `/admin/people/${encodeURIComponent(id)}/export`,
  submissions: "/admin/submissions",
  submissionTable: (kind: string) => `/admin/submissions/${kind}`,
  /** The person behind a submission, beside its table. */
  submissionPerson: (kind: string, id: string) => `/admin/submissions/${kind}/${encodeURIComponent(id)}`,
  openInquiries: "/admin/submissions/contact-form?status=open",
  submissionsUnconfirmed: "/admin/submissions/unconfirmed",
  submissionsExport: (kind: string) => `/admin/submissions/${kind}/export`,
} as const;

/**
 * Paths whose next segment is a capability: its reader may act as its owner, so no log may contain it (C24), and only its
 * recipient and superadmins see it. A new route with a token in its path belongs here.
 */
export const CAPABILITY_PATHS = [
  ["unsubscribe"],
  ["updates", "confirm"],
  ["invitation"],
  ["confirm-email"],
  ["i"],
] as const;

const LANDING: readonly string[] = [paths.landing, paths.earlyAccess, paths.updates, paths.contact];

/** Returns whether a path is one of the landing page's four. */
export const isLandingPath = (pathname: string): boolean => LANDING.includes(pathname);

/** Anchors on the landing page. */
export const anchors = { about: "about", faqs: "faqs", contact: "contact" } as const;

/** Prefixes of paths that search engines must not index: the back office, and pages tied to a person or a token. */
export const NOT_FOR_SEARCH = [
  "/admin",
  "/login",
  "/logout",
  "/unauthorized",
  "/invitation",
  "/confirm-email",
  "/unsubscribe",
  "/updates/confirm",
  "/i/",
] as const;
