/** The states of the devices of a notification, by which they can be filtered. */
export const PUSH_STATES = {
  pending: { name: "Pending", variant: "neutral" },
  claimed: { name: "Sending", variant: "info" },
  retrying: { name: "Retrying", variant: "warning" },
  accepted: { name: "Sent", variant: "success" },
  failed: { name: "Failed", variant: "danger" },
  gone: { name: "Gone", variant: "danger" },
  skipped: { name: "Not sent", variant: "neutral" },
} as const;

export type ListedState = keyof typeof PUSH_STATES;

/** Returns the state in the URL; undefined for all of them. */
export function readListedState(search: URLSearchParams): ListedState | undefined {
  const known = Object.keys(PUSH_STATES) as ListedState[];
  return known.find((state) => state === search.get("state"));
}
