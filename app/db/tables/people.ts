import type { EpochMs } from "./columns";

/**
 * One row per address of a submission, in any state. All columns follow from the submissions and are written with
 * each change of one (people-rows.server.ts).
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
}

/** One row: up to which submission, by id, earlier ones have their person. */
export interface PeopleFillTable {
  last_submission: string;
  finished_at: EpochMs | null;
}

export interface PeopleTables {
  people: PeopleTable;
  people_fill: PeopleFillTable;
}
