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
