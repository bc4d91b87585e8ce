/** Where a person is between the waiting list and the product; "waiting" includes those a wave has reserved. */
export const WAVE_STATES = ["waiting", "invited", "joined", "undeliverable"] as const;
export type WaveState = (typeof WAVE_STATES)[number];
