const pushStates = ["pending", "claimed", "retrying", "accepted", "failed", "gone", "skipped"] as const;

export type ListedState = (typeof pushStates)[number];

/** Returns the state in the URL; undefined for all of them. */
export const readListedState = (search: URLSearchParams): ListedState | undefined =>
  pushStates.find((known) => known === search.get("state"));
