/** Where a table's page stands in the URL, so that each of the three turns its own. */
export const pageParameter = (kind: string): string => `${kind}-before`;
