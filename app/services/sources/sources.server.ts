import type { Database } from "~/db/database.server";
import type { SubmissionKind } from "~/lib/form-fields";
import { listPresent, sumVisitsBySource } from "./by-source.server";

/** What one source brought. */
export interface SourceTotals {
  readonly source: string;
  readonly visits: number;
  /** Accepted submissions of the three forms. */
  readonly signups: number;
  /** The form that most of them were sent by; any where there are none. */
  readonly kind: SubmissionKind;
}

/** Sources that a filter suggests. */
const SUGGESTED = 50;

/** Tells where visitors and signups came from, from counts by UTC day. */
export function createSources({ database: { read } }: { readonly database: Pick<Database, "read"> }) {
  return {
    /** Lists the sources that anybody came from on the UTC days from this one on: most signups first, then most visits. */
    async list({ from }: { readonly from: number }): Promise<SourceTotals[]> {
      const [visits, signups] = await Promise.all([
        sumVisitsBySource(read, from),
        read
          .selectFrom("submission_sources")
          .select(({ fn }) => ["source", "kind", fn.sum("count").as("count")])
          .where("day", ">=", from)
          .groupBy(["source", "kind"])
          .execute(),
      ]);
      const signupsOf = Map.groupBy(signups, ({ source }) => source);
      const rows = [...new Set([...visits.keys(), ...signupsOf.keys()])].map((source) => {
        const forms = signupsOf.get(source) ?? [];
        const mostFirst = forms.toSorted((a, b) => Number(b.count) - Number(a.count));
        return {
          source,
          visits: visits.get(source) ?? 0,
          signups: forms.reduce((sum, { count }) => sum + Number(count), 0),
          kind: mostFirst[0]?.kind ?? "early-access",
        };
      });
      return listPresent(rows);
    },

    /** Lists the sources that most submissions of a form came from since a UTC day, for its filter. */
    async suggest(kind: SubmissionKind, { from }: { readonly from: number }): Promise<string[]> {
      const rows = await read
        .selectFrom("submission_sources")
        .select(({ fn }) => ["source", fn.sum<number>("count").as("total")])
        .where("kind", "=", kind)
        .where("day", ">=", from)
        .groupBy("source")
        .having(({ fn }) => fn.sum("count"), ">", 0)
        .orderBy("total", "desc")
        .orderBy("source")
        .limit(SUGGESTED)
        .execute();
      return rows.map(({ source }) => source);
    },
  };
}
