/**
 * Merge fields of the text that an operator writes: `{{first_name}}`, or `{{first_name|there}}` with a default for
 * recipients without one (docs/decisions/0114).
 */

/** The fields of every text. */
export const MERGE_FIELDS = ["first_name", "name", "company", "role", "email", "unsubscribe_link"] as const;
/** Makes a campaign a wave: the link of the recipient's invitation. Only while invitations are on (INVITE_URL). */
const INVITE_FIELD = "invite_link";
export type MergeField = (typeof MERGE_FIELDS)[number] | typeof INVITE_FIELD;
const ALL_FIELDS: readonly MergeField[] = [...MERGE_FIELDS, INVITE_FIELD];
/** Their values are whole URLs of ours. */
type LinkField = "unsubscribe_link" | typeof INVITE_FIELD;
export type FieldValues = Readonly<Record<MergeField, string>>;

/** Default of the field that has always had one: "Hello there". */
const NO_NAME = "there";
const FIELD = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** One field as it was written, or a character that only looks like the mark of one. */
type Marked = { readonly field: MergeField; readonly fallback: string } | { readonly literal: string };

/** A text whose fields are marks, which no rule of Markdown knows, and what each mark stands for. */
export interface MarkedText {
  readonly text: string;
  readonly marks: ReadonlyMap<string, Marked>;
}

/** The marks: characters for private use of plane 16, more than the longest message has characters. */
const MARK = /[\u{100000}-\u{10fffd}]/gu;
const FIRST_MARK = 0x100000;
/** A character by its number, which Markdown writes in the place of it: &#x100000; or &#1048576; */
const CHARACTER_REFERENCE = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;

/** Replaces the fields by marks, before the text is parsed: no value can change what the operator wrote. */
export function markFields(text: string): MarkedText {
  const known = new Map<string, string>();
  const marks = new Map<string, Marked>();
  const referred = new Set(
    Array.from(text.matchAll(CHARACTER_REFERENCE), ([, hex, decimal = ""]) =>
      hex === undefined ? Number(decimal) : Number.parseInt(hex, 16),
    ),
  );
  let next = FIRST_MARK;
  const createMark = () => {
    while (referred.has(next)) next += 1;
    next += 1;
    return String.fromCodePoint(next - 1);
  };
  const mark = (written: string, marked: Marked) => {
    const character = known.get(written) ?? createMark();
    known.set(written, character);
    marks.set(character, marked);
    return character;
  };
  const ownMarks = text.replace(MARK, (literal) => mark(literal, { literal }));
  const marked = ownMarks.replace(FIELD, (written, name: string, fallback?: string) => {
    const field = toField(name);
    return field ? mark(written, { field, fallback: toFallback(field, fallback) }) : written;
  });
  return { text: marked, marks };
}

/** Fills the marks in a part of a marked text. @param toText changes each value, such as encodeURIComponent. */
export function fillMarks(
  text: string,
  { marks }: Pick<MarkedText, "marks">,
  values: FieldValues,
  toText = (value: string) => value,
): string {
  return text.replace(MARK, (character) => {
    const marked = marks.get(character);
    if (!marked) return character;
    return "literal" in marked ? marked.literal : toText(values[marked.field] || marked.fallback);
  });
}

/** Returns the field that is all of a text, such as the target of a link. */
export function getOnlyField(text: string, { marks }: Pick<MarkedText, "marks">): MergeField | undefined {
  const marked = marks.get(text);
  return marked && "field" in marked ? marked.field : undefined;
}

/** Returns whether a field's value is a whole URL. */
export const isLinkField = (field: MergeField | undefined): field is LinkField =>
  field === "unsubscribe_link" || field === INVITE_FIELD;

/** Returns whether a part of a marked text has a field whose value is a whole URL. */
export function hasLinkField(text: string, marked: Pick<MarkedText, "marks">): boolean {
  return (text.match(MARK) ?? []).some((character) => isLinkField(getOnlyField(character, marked)));
}

/** Returns the fields of a campaign's text. @param isInviting whether invitations are on. */
export const getCampaignFields = (isInviting: boolean): readonly MergeField[] =>
  isInviting ? ALL_FIELDS : MERGE_FIELDS;

/** Returns whether a text invites each of its recipients. */
export const invites = (text: string): boolean => listMergeFields(text).includes(INVITE_FIELD);

/**
 * Lists the unknown fields by name, each once, in order: `Hi {{nmae}}` gives ["nmae"].
 * @param known left out: those of every text.
 */
export function listUnknownMergeFields(text: string, known: readonly string[] = MERGE_FIELDS): string[] {
  const names = Array.from(text.matchAll(FIELD), ([, name = ""]) => name.trim());
  return [...new Set(names)].filter((name) => !known.includes(name));
}

/** Lists the known fields of a text, each once, in order. */
export function listMergeFields(text: string): MergeField[] {
  const fields = Array.from(text.matchAll(FIELD), ([, name = ""]) => toField(name));
  return [...new Set(fields.filter((field) => field !== undefined))];
}

/** Lists the fields that are empty for some recipients, and say nothing for these, each once, in order. */
export function listFieldsWithoutDefault(text: string): MergeField[] {
  const written = Array.from(text.matchAll(FIELD), ([, name = "", fallback]) => ({
    field: toField(name),
    fallback,
  }));
  const found = written.flatMap(({ field, fallback }) => {
    const isEmpty = field && CAN_BE_EMPTY.has(field) && toFallback(field, fallback) === "";
    return isEmpty ? field : [];
  });
  return [...new Set(found)];
}

/** The fields that a form does not ask for, or may leave empty. */
const CAN_BE_EMPTY: ReadonlySet<MergeField> = new Set<MergeField>(["first_name", "name", "company", "role"]);

function toField(name: string): MergeField | undefined {
  const trimmed = name.trim();
  return ALL_FIELDS.find((field) => field === trimmed);
}

const toFallback = (field: MergeField, written: string | undefined) =>
  written?.trim() ?? (field === "name" ? NO_NAME : "");

/** Forms of address that a name may begin with. */
const TITLES =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|lady|lord|herr|frau|fr|dipl|ing|mme|mlle|m|sr|sra|srta|don|do\u00f1a|rev)\.?$/iu;

/** One to four words of letters: no sentence that somebody typed into the field of a name. */
const GREETED = /^[\p{L}\p{M}'\u2019.-]+(?: [\p{L}\p{M}'\u2019.-]+){0,3}$/u;
/** In code points. */
const MAX_GREETED_LENGTH = 40;

/**
 * Returns what somebody is greeted by: the first word of a name, or all of it after a title or an initial; empty when
 * that is no name.
 */
export function toFirstName(name: string): string {
  const words = name.trim().split(/\s+/u);
  const [first = ""] = words;
  const isInitial = [...first.replace(/\.$/u, "")].length < 2;
  const greeted = isInitial || TITLES.test(first) ? words.join(" ") : first;
  return GREETED.test(greeted) && [...greeted].length <= MAX_GREETED_LENGTH ? greeted : "";
}
