import { sql } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchFrom } from "~/db/rows";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";
import { getAudienceEnd } from "./audience-position.server";
import type { SignupCursor } from "./signup-cursor";

interface FeedQuery {
  /** Undefined: all forms, one after the other. */
  readonly form: SubmissionKind | undefined;
  readonly cursor: SignupCursor;
  /** Maximum number of signups. */
  readonly limit: number;
}

export type FeedSignup = Awaited<ReturnType<typeof readForm>>[number];

/** "ahead": the cursor names signups that this database does not have yet, because an older backup was restored. */
type FeedPage =
  | { ok: true; signups: readonly FeedSignup[]; next: SignupCursor; hasMore: boolean }
  | { ok: false; error: "ahead" };

/** Reads the accepted signups in the order in which they joined their form's audience, for programs that keep a copy. */
export function createSignupFeed({ database }: { readonly database: Database }) {
  const { read } = database;

  return {
    /**
     * Reads the signups after a cursor; an empty one begins. Whoever reads on from `next` misses nobody, because the
     * order is that of the commits (audience-position.server.ts): late confirmations and releases from quarantine come
     * when they are accepted. Restored signups, and those whose address left the suppression list, come again.
     */
    async read({ form, cursor, limit }: FeedQuery): Promise<FeedPage> {
      const kinds = form === undefined ? SUBMISSION_KINDS : [form];
      if (await isAhead(read, kinds, cursor)) return { ok: false, error: "ahead" };
      const found: FeedSignup[] = [];
      // One more than a page, to know whether another page follows.
      for (const kind of kinds) {
        if (found.length <= limit)
          found.push(...(await readForm(read, kind, cursor, limit + 1 - found.length)));
      }
      const signups = found.slice(0, limit);
      const next = { ...cursor };
      for (const { kind, audience_position: position, id } of signups) next[kind] = { position, id };
      return { ok: true, signups, next, hasMore: found.length > limit };
    },
  };
}

async function isAhead(read: Read, kinds: readonly SubmissionKind[], cursor: SignupCursor): Promise<boolean> {
  for (const kind of kinds) {
    const place = cursor[kind];
    if (place && place.position > (await getAudienceEnd(read, kind)).position) return true;
  }
  return false;
}

function readForm(read: Read, kind: SubmissionKind, cursor: SignupCursor, limit: number) {
  const place = cursor[kind];
  const accepted = read
    .selectFrom("submissions")
    .select(["id", "kind", "created_at", "admitted_at", "audience_position", ...TYPED_COLUMNS])
    .where("kind", "=", kind)
    // The conditions of the partial index, literal, because SQLite uses it only then.
    .where(sql<boolean>`state = 'accepted'`)
    .where(sql<boolean>`audience_position >= 0`);
  const order = { key: sql.ref<number>("audience_position"), direction: "asc" } as const;
  return fetchFrom(accepted, { after: place?.id, limit }, order, place?.position);
}
