/**
 * The landing page's three forms: what each asks. Everything that handles a field reads it here: the table's type,
 * the rules of forms and API, the dashboard, files, mirrors and the person's page (docs/forms.md, "Adding a field").
 */

/** The three forms; audiences of campaigns have the same names (specification, section 9). */
export const SUBMISSION_KINDS = ["early-access", "contact-form", "updates-signup"] as const;
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/** What a field takes, cleaned; lengths are in code points. A field that is not required may be left empty. */
export type FieldRule =
  | {
      readonly kind: "text";
      /** The field's name in a form's errors: "Please enter your full name." */
      readonly name: string;
      readonly max: number;
      readonly required: boolean;
      /** Whether line breaks are kept. */
      readonly multiline?: boolean;
    }
  | { readonly kind: "email"; readonly name: string; readonly required: true }
  | {
      readonly kind: "choice";
      readonly choices: readonly string[];
      readonly required: boolean;
      /** The form's error. */
      readonly error: string;
      /** What another value becomes that somebody wrote into a spreadsheet. */
      readonly fallback: string;
    };

/** Inputs that every form has besides its fields, to detect bots (docs/decisions/0006). */
export const BOT_CHECK_INPUTS = { honeypot: "website", renderTime: "stamp" } as const;

/** Hidden input of every form, and member of the API's body: where the sender came from (source.ts). */
export const SOURCE_INPUT = "source";

interface FormField {
  /** Column of the table `submissions`: text, empty for a form that does not ask. */
  readonly column: string;
  /** Name in the form, in the API's body and in what a web endpoint gets; none of `BOT_CHECK_INPUTS`, nor `SOURCE_INPUT`. */
  readonly input: string;
  readonly rule: FieldRule;
  /** Label on the person's page and in the table of submissions. */
  readonly label: string;
  /** Description in the API's document. */
  readonly about: string;
  /** The setting with which forms and tables have it; what was sent before stays on the person's page. */
  readonly setting?: "HEARD_FROM";
  /** Header in the dashboard, in files and in mirrors; a field without one is in none of them. */
  readonly csv?: string;
}

/** The time of the submission, which nobody types, at its place among the columns. */
interface TimeColumn {
  readonly column: "created_at";
  readonly csv: string;
}

const ROLES = ["executive", "manager", "developer", "other"] as const;
const HEARD_FROM = [
  "search engine",
  "social media",
  "friend or colleague",
  "article or podcast",
  "event",
  "other",
] as const;
const INQUIRY_TYPES = ["general", "partnership", "support"] as const;
export const MESSAGE_MAX_LENGTH = 5000;

const TIMESTAMP = { column: "created_at", csv: "Timestamp" } as const;
const NAME = {
  column: "name",
  input: "name",
  rule: { kind: "text", name: "your full name", max: 200, required: true },
  label: "Name",
  about: "The person's name.",
  csv: "Name",
} as const;
const EMAIL = {
  column: "email",
  input: "email",
  rule: { kind: "email", name: "your email address", required: true },
  label: "Address",
  about: "The person's address.",
  csv: "Email",
} as const;

/**
 * The columns of each form, in the order of the specification (sections 2 and 3). In a mirror a new one goes last, so
 * that rows written before stay as they are.
 */
const COLUMNS = {
  "early-access": [
    NAME,
    EMAIL,
    {
      column: "company",
      input: "company",
      rule: { kind: "text", name: "your company's name", max: 200, required: false },
      label: "Company",
      about: "The person's company.",
      csv: "Company",
    },
    {
      column: "role",
      input: "role",
      rule: {
        kind: "choice",
        choices: ROLES,
        required: false,
        error: "Please choose one of the roles.",
        fallback: "other",
      },
      label: "Role",
      about: "",
      csv: "Role",
    },
    {
      column: "heard_from",
      input: "heardFrom",
      rule: {
        kind: "choice",
        choices: HEARD_FROM,
        required: false,
        error: "Please choose one of the answers.",
        fallback: "other",
      },
      label: "Heard of us by",
      about: "",
      setting: "HEARD_FROM",
    },
    TIMESTAMP,
  ],
  "contact-form": [
    TIMESTAMP,
    { ...NAME, input: "fullName", csv: "Full Name" },
    EMAIL,
    {
      column: "inquiry_type",
      input: "inquiryType",
      rule: {
        kind: "choice",
        choices: INQUIRY_TYPES,
        required: true,
        error: "Please choose what your message is about.",
        fallback: "general",
      },
      label: "Inquiry type",
      about: "",
      csv: "Inquiry Type",
    },
    {
      column: "message",
      input: "message",
      rule: { kind: "text", name: "your message", max: MESSAGE_MAX_LENGTH, required: true, multiline: true },
      label: "Message",
      about: "The message.",
      csv: "Message",
    },
  ],
  "updates-signup": [TIMESTAMP, NAME, EMAIL],
} as const satisfies Record<SubmissionKind, readonly (FormField | TimeColumn)[]>;

/** Choices that tables filter by: the role in one, the inquiry type in another, none in the third. */
export const CHOICES = {
  "early-access": ROLES,
  "contact-form": INQUIRY_TYPES,
  "updates-signup": [],
} as const satisfies Record<SubmissionKind, readonly string[]>;
export type Choice = (typeof CHOICES)[SubmissionKind][number];

type FieldOf<Kind extends SubmissionKind> = Extract<(typeof COLUMNS)[Kind][number], { input: string }>;
type ValueOf<Field> = Field extends { rule: { choices: readonly (infer Choice)[] } } ? Choice | "" : string;
type RequiredField = { rule: { required: true } };

export type TypedColumn = FieldOf<SubmissionKind>["column"];

/** What people type into the forms. Columns a form does not have are empty strings. */
export type TypedColumns = {
  [Name in TypedColumn]: ValueOf<Extract<FieldOf<SubmissionKind>, { column: Name }>>;
};

/** All typed columns, and the time of the submission in epoch milliseconds. */
export type TypedSubmission = TypedColumns & { created_at: number };

/** The columns that each form fills in; those of fields that may be left empty are optional. */
export type FormColumns = {
  [Kind in SubmissionKind]: {
    [Field in Extract<FieldOf<Kind>, RequiredField> as Field["column"]]: ValueOf<Field>;
  } & { [Field in Exclude<FieldOf<Kind>, RequiredField> as Field["column"]]?: ValueOf<Field> };
};

/** Returns the columns of a form that the dashboard, files and mirrors have, each with its header, in order. */
export function listColumns(kind: SubmissionKind) {
  return COLUMNS[kind].filter((column) => "csv" in column);
}

/** Returns what a form asks, in order. */
export function getFields(kind: SubmissionKind): readonly FieldOf<SubmissionKind>[] {
  return COLUMNS[kind].filter((column) => "input" in column);
}

/** Turns values by the names of their inputs into values by column. @param values parsed by the form's rules. */
export function toColumns<Kind extends SubmissionKind>(
  kind: Kind,
  values: Readonly<Record<string, string>>,
): FormColumns[Kind] {
  const columns = getFields(kind).map(({ column, input }) => [column, values[input] ?? ""]);
  return Object.fromEntries(columns) as FormColumns[Kind];
}
