import { z } from "zod";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { parseJson } from "~/lib/parse-json";
import { isUuid } from "~/lib/uuid";

/** The last signup that was read of a form: its audience position and, of several with the same, its id. */
interface SignupPlace {
  readonly position: number;
  readonly id: string;
}

/** How far a program has read each form; a form that is left out was not read yet. */
export type SignupCursor = Readonly<Partial<Record<SubmissionKind, SignupPlace>>>;

const place = z.tuple([z.int().min(0), z.string().refine(isUuid)]);
const schema = z.strictObject(
  Object.fromEntries(SUBMISSION_KINDS.map((kind) => [kind, place.optional()])) as Record<
    SubmissionKind,
    z.ZodOptional<typeof place>
  >,
);

/** Formats a cursor as an opaque text for URLs. */
export function formatSignupCursor(cursor: SignupCursor): string {
  const places = SUBMISSION_KINDS.flatMap((kind) => {
    const read = cursor[kind];
    return read ? [[kind, [read.position, read.id]]] : [];
  });
  return Buffer.from(JSON.stringify(Object.fromEntries(places))).toString("base64url");
}

/** Parses a cursor; undefined for anything that `formatSignupCursor` did not return. */
export function parseSignupCursor(text: string): SignupCursor | undefined {
  const { data } = schema.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (!data) return undefined;
  const cursor: Partial<Record<SubmissionKind, SignupPlace>> = {};
  for (const kind of SUBMISSION_KINDS) {
    const read = data[kind];
    if (read) cursor[kind] = { position: read[0], id: read[1] };
  }
  return formatSignupCursor(cursor) === text ? cursor : undefined;
}
