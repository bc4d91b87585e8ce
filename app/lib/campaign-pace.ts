import { hours } from "./durations";

/** The lengths of time, in milliseconds, that the emails of a campaign can be spread over; 0 sends them at once. */
export const PACES = [0, hours(1), hours(6), hours(24), hours(72)] as const;

/** Reads a pace from a form; undefined when it is none of PACES. */
export function toPace(value: string | undefined): number | undefined {
  return PACES.find((pace) => String(pace) === value);
}
