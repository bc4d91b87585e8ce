/** The states a device's row can be listed by. */
const pushStates = ["pending", "claimed", "retrying", "accepted", "failed", "gone", "skipped"] as const;

export type ListedState = (typeof pushStates)[number];

/** The state a URL asks for; undefined for all of them. */
export const readListedState = (search: URLSearchParams): ListedState | undefined =>
  pushStates.find((known) => known === search.get("state"));
