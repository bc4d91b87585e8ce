import { z } from "zod";

export const THEMES = ["system", "light", "dark"] as const;
export const RAILS = ["wide", "narrow"] as const;

export interface Appearance {
  /** "system" follows the device. */
  theme: (typeof THEMES)[number];
  /** The back office's rail on wide screens: names beside the icons, or icons alone. */
  rail: (typeof RAILS)[number];
}

export const DEFAULT_APPEARANCE: Appearance = { theme: "system", rail: "wide" };

/** Any subset of an appearance, from a form or a cookie; what is wrong in it counts as not said. */
export const appearanceSchema = z
  .object({
    theme: z.enum(THEMES).optional().catch(undefined),
    rail: z.enum(RAILS).optional().catch(undefined),
  })
  .catch({});
