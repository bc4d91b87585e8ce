import type { Read, Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";

/** Columns by table, or "rows" where whole rows are about one person. */
export type PersonColumns = {
  readonly [Table in keyof Tables]?: "rows" | readonly (keyof Tables[Table] & string)[];
};

/**
 * What one capability holds about a person, found by the address in lower case. It stands beside the capability's
 * code and is listed in composition/person-data.server.ts; tests/contracts/person-data.test.ts finds columns that
 * none covers. Submissions are not among them: by these the person is found (people.server.ts).
 */
export interface PersonData {
  /** Key in the exported file. */
  readonly name: string;
  readonly columns: PersonColumns;

  /** Reads it for the exported file. Left out for counters, which tell the person nothing. */
  export?(read: Read, emailKey: string): Promise<unknown>;

  /** Returns whether an email to the person is being handed over, whose result would store the address again. */
  isSending?(read: Read, emailKey: string): Promise<boolean>;

  /** Keeps emails to the person from being added or claimed, and the person from being stored, until the transaction ends. */
  lock?(trx: Write, emailKey: string): Promise<void>;

  /** Erases it, or what names the person in it. A repeated call changes nothing. */
  erase?(trx: Write, emailKey: string, now: number): Promise<void>;

  /** Erases what is outside of transactions, such as files. Called before and after the transaction. */
  eraseOutside?(emailKey: string): Promise<void>;
}
