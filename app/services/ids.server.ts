import { v7 } from "uuid";

/** A new UUIDv7: unguessable enough to name a row, and in order of time within one process. */
export type NewId = () => string;

export const newId: NewId = () => v7();
