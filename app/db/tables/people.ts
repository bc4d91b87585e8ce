import type { Generated } from "kysely";
import type { DocumentsTable } from "./submissions";
import type { EpochMs } from "./columns";

/**
 * One row per address of a submission, in any state. All columns but `confirmed_at` follow from the submissions and are
 * written with each change of one (people-rows.server.ts).
 */
export interface PeopleTable {
  /** The id of the submission by which the person was first known. */
  id: string;
  email_key: string;
  /** As typed last. */
  email: string;
  /** In lower case, what follows the @. */
  email_domain: string;
  /** As typed last, empty where never. */
  name: string;
  company: string;
  role: string;
  /** Time of the first accepted submission; null while none is. */
  first_signup_at: EpochMs | null;
  /** The forms of the accepted submissions, a bit for each (services/people/person-forms.ts). */
  forms: Generated<number>;
  /** Time at which the person confirmed their address; null while they did not. */
  confirmed_at: Generated<EpochMs | null>;
  /** Of the first accepted submission; "unknown" while none is. */
  source: string;
}

/** One row: down to which submission, by id, later ones have their person and their search words. */
export interface PeopleFillTable {
  last_submission: string;
  finished_at: EpochMs | null;
}

/** Operators' notes about a person; they go with the person. */
export interface PersonNotesTable {
  id: string;
  person_id: string;
  text: string;
  /** Address of the account. */
  author: string;
  created_at: EpochMs;
}

/** Operators' corrections of a person; they go with the person. */
export interface PersonCorrectionsTable {
  id: string;
  person_id: string;
  /** Address of the account. */
  author: string;
  reason: string;
  at: EpochMs;
  /** The corrected columns of `people`, separated by commas. */
  fields: string;
  /** The address before, as typed; empty where it stayed. */
  former_email: string;
  former_key: string;
  /** Id of the person that a merge took in, who is no row of `people` any more. */
  merged_person: string | null;
  /** JSON: what was corrected, and what an undo restores; empty once it cannot be undone. */
  undo: string;
  undone_at: EpochMs | null;
}

/**
 * Number of the people who signed up on a UTC day, by their source and by how far they came since, updated only by
 * triggers. Sum over the shards; one may be negative.
 */
export interface FunnelCountsTable {
  /** Its first millisecond. */
  day: EpochMs;
  source: string;
  shard: number;
  signups: number;
  confirmed: number;
  /** Invited and reachable, joined or not. */
  invited: number;
  /** Joined by an invitation. */
  joined: number;
  /** Joined without one. */
  uninvited: number;
}

export interface PeopleTables {
  funnel_counts: FunnelCountsTable;
  people: PeopleTable;
  person_notes: PersonNotesTable;
  person_corrections: PersonCorrectionsTable;
  people_fill: PeopleFillTable;
  people_documents: DocumentsTable;
}
