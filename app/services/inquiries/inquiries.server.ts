import type { Read, Write } from "~/db/database.server";
import { countUpTo } from "~/db/rows";
import { formatCount } from "~/lib/format-number";
import { isUuid } from "~/lib/uuid";
import { auditInParts, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { InquiryState } from "~/services/submissions/submission-filter";
import { isInquiryIn } from "~/services/submissions/inquiry-state";

/** Rows per transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;
/** Open inquiries counted at most: the menu shows more than 999 as "999+". */
const MAX_COUNTED = 1000;

/**
 * The life of an inquiry: open until somebody marks it as answered, who and when is kept. A deleted inquiry keeps its
 * state for the time in which it can be restored (docs/decisions/0103).
 */
export function createInquiries(deps: ServiceDeps) {
  const { database, clock } = deps;
  const { read } = database;

  return {
    countOpen: () => countOpenInquiries(read),

    /** Marks open inquiries as answered by this person. @returns how many of them were open. */
    answer: (ids: readonly string[], actor: Actor): Promise<number> => move(ids, "open", actor),

    /** Opens answered inquiries again. @returns how many of them were answered. */
    reopen: (ids: readonly string[], actor: Actor): Promise<number> => move(ids, "answered", actor),
  };

  async function move(ids: readonly string[], from: InquiryState, actor: Actor): Promise<number> {
    const known = [...new Set(ids.filter(isUuid))];
    const action = from === "open" ? "answer-inquiries" : "reopen-inquiries";
    // An erased person's address must not stay behind, so the entry has the number alone.
    const parts = auditInParts(deps, actor, action, (count) => formatCount(count, "inquiry", "inquiries"));
    const set =
      from === "open"
        ? { answered_at: clock(), answered_by: actor.by }
        : { answered_at: null, answered_by: null };
    for (let at = 0; at < known.length; at += CHUNK) {
      await parts.write((trx) => moveChunk(trx, known.slice(at, at + CHUNK), from, set));
    }
    return parts.done;
  }
}

/** Counts the open inquiries, up to 1,000, from an index. */
export function countOpenInquiries(read: Read): Promise<number> {
  const open = read.selectFrom("submissions").select("id").where("state", "=", "accepted");
  return countUpTo(MAX_COUNTED, read, open.where(isInquiryIn("open")));
}

async function moveChunk(
  trx: Write,
  ids: readonly string[],
  from: InquiryState,
  set: { answered_at: number | null; answered_by: string | null },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable("submissions")
    .set(set)
    .where("id", "in", ids)
    .where("state", "=", "accepted")
    .where(isInquiryIn(from))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
