import { z } from "zod";
import { isTimeZone } from "~/lib/zoned-time";

const THEMES = ["system", "light", "dark"] as const;
const RAILS = ["wide", "narrow"] as const;
const SHORTCUTS = ["on", "off"] as const;

export interface Appearance {
  /** "system" follows the device. */
  theme: (typeof THEMES)[number];
  /** The back office's navigation rail on wide screens: icons with names, or icons alone. */
  rail: (typeof RAILS)[number];
  /** Whether single-key shortcuts work in the back office (WCAG 2.1.4). */
  shortcuts: (typeof SHORTCUTS)[number];
  /** The IANA name of the time zone for planning; empty until chosen. */
  timeZone: string;
}

export const DEFAULT_APPEARANCE: Appearance = {
  theme: "system",
  rail: "wide",
  shortcuts: "on",
  timeZone: "",
};

/** Any subset of an appearance, from a form or a cookie; invalid values count as missing. */
export const appearanceSchema = z
  .object({
    theme: z.enum(THEMES).optional().catch(undefined),
    rail: z.enum(RAILS).optional().catch(undefined),
    shortcuts: z.enum(SHORTCUTS).optional().catch(undefined),
    timeZone: z.string().refine(isTimeZone).optional().catch(undefined),
  })
  .catch({});

export type PartialAppearance = z.infer<typeof appearanceSchema>;
