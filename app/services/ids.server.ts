import { v7 } from "uuid";

/** Creates a UUIDv7: unguessable enough to name a row, and ordered by time within one process. */
export type NewId = () => string;

export const newId: NewId = () => v7();
