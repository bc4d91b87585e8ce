import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { SubmissionKind } from "~/lib/form-fields";
import { takePage, toKnownPage, type ListPage } from "~/lib/list-page";
import { searchTerms } from "~/lib/search-words";
import { findDocuments, matchDocuments } from "./document-search.server";
import { findFewInquiries, findInquiries, hasTerms } from "./inquiry-search.server";
import { KIND_WORDS } from "./search-index.server";
import type { FewResults, SearchQuery } from "./search-query";

/** A search in the accepted submissions of a form. */
export interface SubmissionQuery {
  /** As typed: beginnings of words, or parts of an address or a company, in any order, ignoring case and accents. */
  readonly typed: string;
  readonly kind: SubmissionKind;
}

export type SubmissionSearch = ReturnType<typeof createSubmissionSearch>;

/**
 * Finds accepted submissions by name, address and company. Inquiries are found by the words of their text as well: all
 * words are looked for in the text and its sender, or all in the sender.
 */
export function createSubmissionSearch({ database }: { database: Database }) {
  /** Lists the ids of matches, newest first; none for an empty query. */
  async function ids({ typed, kind }: SubmissionQuery, page: ListPage): Promise<string[]> {
    const query: SearchQuery = { terms: searchTerms(typed), page: toKnownPage(page) };
    if (query.terms.length === 0) return [];
    const found = await findSubmissions(query, kind);
    if (kind !== "contact-form") return found;
    return takePage([...new Set([...found, ...(await findInquiries(database, query))])], query.page);
  }

  const findSubmissions = (query: SearchQuery, kind: SubmissionKind) =>
    findDocuments(database, { ...query, table: "submission_documents", kindWord: KIND_WORDS[kind] });

  return {
    ids,

    /**
     * Lists the ids of all matches, newest first, if they are few. `isAll` is false, and only the newest are listed, none of
     * them left out, when there are more than `most`, or when the search is so common that the index would have to collect many.
     */
    async findFew({ typed, kind }: SubmissionQuery, most: number): Promise<FewResults> {
      const terms = searchTerms(typed);
      if (terms.length === 0) return { ids: [], isAll: true };
      const page = { limit: most + 1 };
      const found = await findSubmissions({ terms, page }, kind);
      if (kind !== "contact-form") return { ids: found, isAll: found.length <= most };
      const inquiries = await findFewInquiries(database, { terms }, most);
      // Texts older than the last of these may match as well.
      const oldest = inquiries.isAll ? "" : (inquiries.ids.at(-1) ?? "");
      const senders = found.filter((id) => id >= oldest);
      const all = takePage([...new Set([...senders, ...inquiries.ids])], page);
      return { ids: all, isAll: inquiries.isAll && all.length <= most };
    },

    /** Returns the condition that the search finds a submission: for scans where many rows match. */
    async condition({ typed, kind }: SubmissionQuery): Promise<SubmissionCondition> {
      const terms = searchTerms(typed);
      const isFound = await matchDocuments(database, { terms });
      return (row) => {
        // Not "exists": PostgreSQL turns that into a join of everybody who has the words, and then sorts them.
        const found = row
          .selectFrom("submission_documents as documents")
          .select("documents.id")
          .whereRef("documents.id", "=", "submissions.id")
          .where(isFound);
        if (kind !== "contact-form") return row(found, "is not", null);
        const inquiry = row
          .selectFrom("inquiry_documents")
          .select("submission_id")
          .whereRef("submission_id", "=", "submissions.id")
          .where(hasTerms(terms));
        return row.or([row(found, "is not", null), row(inquiry, "is not", null)]);
      };
    },
  };
}

export type SubmissionCondition = (row: ExpressionBuilder<Tables, "submissions">) => Expression<SqlBool>;
