/** The states a recipient's row can be listed by. */
export const deliveryStates = [
  "pending",
  "claimed",
  "retrying",
  "sent",
  "failed",
  "skipped",
  "uncertain",
] as const;

export type ListedState = (typeof deliveryStates)[number];

/** The state a URL asks for; undefined for all of them. */
export const readListedState = (search: URLSearchParams): ListedState | undefined =>
  deliveryStates.find((known) => known === search.get("state"));
