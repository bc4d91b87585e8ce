import { createCookie } from "@remix-run/node";
import { days } from "~/lib/durations";
import type { Appearance, PartialAppearance } from "./appearance";
import { appearanceSchema, DEFAULT_APPEARANCE } from "./appearance";

/** Creates the cookie of a browser's appearance, known before the first byte of HTML, so that nothing flashes. */
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
    return withDefaults(kept, DEFAULT_APPEARANCE);
  }

  return {
    read,
    /** Returns the Set-Cookie value that applies the form's changes and keeps the other settings. */
    async change(request: Request, form: unknown): Promise<string> {
      return cookie.serialize(withDefaults(appearanceSchema.parse(form), await read(request)));
    },
  };
}

/** Fills missing settings with `fallback`. */
function withDefaults(
  { theme, rail, shortcuts, timeZone }: PartialAppearance,
  fallback: Appearance,
): Appearance {
  return {
    theme: theme ?? fallback.theme,
    rail: rail ?? fallback.rail,
    shortcuts: shortcuts ?? fallback.shortcuts,
    timeZone: timeZone ?? fallback.timeZone,
  };
}
