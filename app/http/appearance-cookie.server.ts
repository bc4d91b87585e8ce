import { createCookie } from "@remix-run/node";
import { z } from "zod";
import { days } from "~/lib/durations";

export interface Appearance {
  /** "system" follows the device. */
  theme: "system" | "light" | "dark";
  /** The back office's navigation rail on wide screens: icons with names, or icons alone. */
  rail: "wide" | "narrow";
  /** Says whether single-key shortcuts work in the back office (WCAG 2.1.4). */
  shortcuts: "on" | "off";
}

const DEFAULT: Appearance = { theme: "system", rail: "wide", shortcuts: "on" };

/** An appearance from a form or a cookie; missing and invalid settings are those of `fallback`. */
const withFallback = (fallback: Appearance) =>
  z
    .object({
      theme: z.enum(["system", "light", "dark"]).catch(fallback.theme),
      rail: z.enum(["wide", "narrow"]).catch(fallback.rail),
      shortcuts: z.enum(["on", "off"]).catch(fallback.shortcuts),
    })
    .catch(fallback);

const stored = withFallback(DEFAULT);

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
    return stored.parse(await cookie.parse(request.headers.get("Cookie")));
  }

  return {
    read,
    /** Returns the Set-Cookie value that applies the form's changes and keeps the other settings. */
    async change(request: Request, form: unknown): Promise<string> {
      return cookie.serialize(withFallback(await read(request)).parse(form));
    },
  };
}
