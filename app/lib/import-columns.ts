/** The two forms whose people can be imported: nobody imports inquiries. */
export const IMPORTED_KINDS = ["early-access", "updates-signup"] as const;
export type ImportedKind = (typeof IMPORTED_KINDS)[number];

/** The longest sentence of where a consent comes from, in code points. */
export const CONSENT_MAX_LENGTH = 500;

/** What a column of a file can be, with the headers that other products give it, in lower case and without signs. */
const HEADERS = {
  email: [
    "email",
    "emailaddress",
    "mail",
    "subscriberemail",
    "useremail",
    "primaryemail",
    "emailadresse",
    "address",
  ],
  name: ["name", "fullname", "username", "subscribername", "contactname"],
  first_name: ["firstname", "fname", "givenname", "vorname"],
  last_name: ["lastname", "lname", "surname", "familyname", "nachname"],
  company: ["company", "companyname", "organization", "organisation", "firma", "associatedcompany"],
  role: ["role", "jobtitle", "title", "position"],
  signed_up_at: [
    "signedupat",
    "signedup",
    "signupdate",
    "optintime",
    "optindate",
    "confirmtime",
    "subscribedat",
    "subscribed",
    "createdat",
    "created",
    "createdate",
    "dateadded",
    "joinedat",
    "joined",
    "timestamp",
    "date",
  ],
  consent: [
    "consent",
    "consentsource",
    "consenttext",
    "gdprconsent",
    "legalbasisforprocessingcontactsdata",
    "legalbasis",
  ],
  status: ["status", "subscriberstatus", "subscriptionstatus", "memberstatus", "emailstatus", "state"],
  unsubscribed_at: [
    "unsubscribedat",
    "unsubtime",
    "unsubscribed",
    "unsubscribedfromallemail",
    "optouttime",
    "cleantime",
  ],
  source: ["source", "signupsource", "utmsource", "originalsource", "optinsource", "referrer", "channel"],
} as const satisfies Record<string, readonly string[]>;

export type ImportField = keyof typeof HEADERS;
export const IMPORT_FIELDS = Object.keys(HEADERS) as readonly ImportField[];

/** The number of the file's column, from 0, by each of ours that the file has. */
export type ImportMapping = Partial<Record<ImportField, number>>;

/** Guesses which column of a file is which of ours, by its header. Each is guessed once, by the likelier header first. */
export function guessMapping(headers: readonly string[]): ImportMapping {
  const names = headers.map((header) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  const mapping: ImportMapping = {};
  for (const field of IMPORT_FIELDS) {
    const known: readonly string[] = HEADERS[field];
    const at = known.map((name) => names.indexOf(name)).find((index) => index >= 0);
    if (at !== undefined) mapping[field] = at;
  }
  return mapping;
}
