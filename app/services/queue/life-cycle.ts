/**
 * The life cycle of a campaign and of a broadcast. The column `state` has no value for held and scheduled: they and sending
 * are stored as "preparing", or as "sending" once all deliveries are created, and `hold` tells them apart ("hold",
 * "schedule"). Of the others, `hold` says why it is paused or waits for the mail server.
 * - held: confirmed, and begins at the end of the hold window.
 * - scheduled: confirmed, and begins at the time that an operator chose.
 * - sending: its deliveries are created and sent until none is left.
 * - paused: an operator has to resume it, whether they or the program paused it.
 * - cancelled, finished: over. A finished one is sent again when its failed deliveries are retried.
 */
export type LifeCycleState = "draft" | "held" | "scheduled" | "sending" | "paused" | "cancelled" | "finished";

/** Columns of a campaign or broadcast that hold where it is in its life cycle. */
export interface StoredState {
  readonly state: "draft" | "preparing" | "sending" | "paused" | "cancelled" | "finished";
  /** Why it waits. A broadcast begins when it is confirmed, so it has neither "hold" nor "schedule". */
  readonly hold?: string;
}

/** Stored states of those that continue without an operator. */
export const MOVING_STATES = ["preparing", "sending"] as const;
/** Stored states of those that are confirmed and not over. */
export const UNFINISHED_STATES = [...MOVING_STATES, "paused"] as const;
/** Stored states of those that a worker has to look at: it sends the deliveries of one that moves, and skips those of a cancelled one. */
export const STATES_WITH_WORK = [...MOVING_STATES, "cancelled"] as const;

/** The states in which each transition is allowed; a service may ask for more. */
const ALLOWED = {
  confirm: ["draft"],
  /** Makes it the draft again that it was. */
  edit: ["held", "scheduled"],
  /** Only before the start. A paused one may have begun: the service asks for that as well. */
  begin: ["held", "scheduled", "paused"],
  /** Likewise. */
  reschedule: ["held", "scheduled", "paused"],
  pause: ["held", "scheduled", "sending"],
  /** One that is sending may wait for the mail server. */
  resume: ["sending", "paused"],
  /** Of broadcasts; of campaigns see outreach/corrections.server.ts. */
  retry: ["finished"],
  /** Of the part of a broadcast that the platform sends, which may fail before the rest is sent. */
  retryPart: ["sending", "paused", "finished"],
  cancel: ["held", "scheduled", "sending", "paused"],
} as const satisfies Record<string, readonly LifeCycleState[]>;

export type Transition = keyof typeof ALLOWED;

export function getLifeCycleState({ state, hold }: StoredState): LifeCycleState {
  if (state !== "preparing" && state !== "sending") return state;
  if (hold === "hold") return "held";
  return hold === "schedule" ? "scheduled" : "sending";
}

/** Returns whether a campaign or broadcast in this state allows the transition. */
export function canTransition(stored: StoredState, transition: Transition): boolean {
  const allowed: readonly LifeCycleState[] = ALLOWED[transition];
  return allowed.includes(getLifeCycleState(stored));
}

/** Returns whether a campaign or a broadcast continues without an operator. */
export const isMoving = ({ state }: { state: string }) => state === "preparing" || state === "sending";

/**
 * Returns the stored state of a campaign or broadcast that begins or goes on: "sending" once a delivery was created for the
 * last id of its audience.
 */
export function getMovingState(sendable: {
  readonly prepared_through: string;
  readonly audience_through: string;
}): "preparing" | "sending" {
  return sendable.prepared_through === sendable.audience_through ? "sending" : "preparing";
}
