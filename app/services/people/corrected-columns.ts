/** What can be corrected of a person. */
export const CORRECTED_COLUMNS = ["name", "email", "company", "role"] as const;
export type CorrectedColumn = (typeof CORRECTED_COLUMNS)[number];

/** What an operator sees and types. */
export type PersonFields = Readonly<Record<CorrectedColumn, string>>;
