import { createCookie } from "@remix-run/node";
import { days } from "~/lib/durations";
import type { Appearance, SaidAppearance } from "./appearance";
import { appearanceSchema, DEFAULT_APPEARANCE } from "./appearance";

/**
 * Creates the cookie that stores a browser's appearance settings: known before the first byte of HTML, so nothing
 * flashes.
 */
export function createAppearanceCookie({ secure }: { secure: boolean }) {
  const cookie = createCookie("appearance", {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
    maxAge: days(365) / 1000,
  });

  async function read(request: Request): Promise<Appearance> {
    const kept = appearanceSchema.parse(await cookie.parse(request.headers.get("Cookie")));
    return completed(kept, DEFAULT_APPEARANCE);
  }

  return {
    read,
    /** Returns the Set-Cookie value that applies the form's changes and keeps the other settings. */
    async change(request: Request, form: unknown): Promise<string> {
      return cookie.serialize(completed(appearanceSchema.parse(form), await read(request)));
    },
  };
}

/** Fills missing settings with `fallback`. */
function completed({ theme, rail, shortcuts, timeZone }: SaidAppearance, otherwise: Appearance): Appearance {
  return {
    theme: theme ?? otherwise.theme,
    rail: rail ?? otherwise.rail,
    shortcuts: shortcuts ?? otherwise.shortcuts,
    timeZone: timeZone ?? otherwise.timeZone,
  };
}
