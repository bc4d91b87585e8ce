import { createContext, useContext } from "react";
import { UTC } from "~/lib/zoned-time";

const TimeZone = createContext(UTC);

/** Gives the operator's time zone to everything that shows a time: rendered once, by the back office's layout. */
export const TimeZoneProvider = TimeZone.Provider;

/** The IANA name of the zone in which times are shown; UTC outside the back office. */
export const useTimeZone = (): string => useContext(TimeZone);
