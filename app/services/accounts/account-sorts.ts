/** What the list of accounts can be sorted by, with the direction that comes first. */
export const ACCOUNT_SORTS = { created: "desc", name: "asc", login: "desc" } as const;
export type AccountSort = keyof typeof ACCOUNT_SORTS;
