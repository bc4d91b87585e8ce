import { createCookie } from "@remix-run/node";
import { days } from "~/lib/durations";
import type { Appearance, SaidAppearance } from "./appearance";
import { appearanceSchema, DEFAULT_APPEARANCE } from "./appearance";

/** What a browser's user chose for the look of the product: known before the first byte of HTML, so nothing flashes. */
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
    /** The Set-Cookie value that changes what the form says and keeps the rest. */
    async change(request: Request, form: unknown): Promise<string> {
      return cookie.serialize(completed(appearanceSchema.parse(form), await read(request)));
    },
  };
}

/** What was said, and for the rest what else holds. */
function completed({ theme, rail, shortcuts, timeZone }: SaidAppearance, otherwise: Appearance): Appearance {
  return {
    theme: theme ?? otherwise.theme,
    rail: rail ?? otherwise.rail,
    shortcuts: shortcuts ?? otherwise.shortcuts,
    timeZone: timeZone ?? otherwise.timeZone,
  };
}
