import { createCookie } from "@remix-run/node";
import { days } from "~/lib/durations";
import type { Appearance } from "./appearance";
import { appearanceSchema, DEFAULT_APPEARANCE } from "./appearance";

export type AppearanceCookie = ReturnType<typeof createAppearanceCookie>;

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
    const { theme, rail } = appearanceSchema.parse(await cookie.parse(request.headers.get("Cookie")));
    return { theme: theme ?? DEFAULT_APPEARANCE.theme, rail: rail ?? DEFAULT_APPEARANCE.rail };
  }

  return {
    read,
    /** The Set-Cookie value that changes what the form says and keeps the rest. */
    async change(request: Request, form: unknown): Promise<string> {
      const { theme, rail } = appearanceSchema.parse(form);
      const now = await read(request);
      return cookie.serialize({ theme: theme ?? now.theme, rail: rail ?? now.rail });
    },
  };
}
