import { sortedList } from "../list-state";

export const UNCONFIRMED_SORTS = { received: "desc", name: "asc", address: "asc" } as const;

export const unconfirmedList = sortedList(UNCONFIRMED_SORTS);
