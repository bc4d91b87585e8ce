import { createCookie } from "@remix-run/node";
import { days } from "~/lib/durations";
import { paths } from "~/paths";

/** Creates the cookie of a visitor with push messages, sent to one URL alone: pages are the same for everybody. */
export function createVisitorCookie({ secure }: { secure: boolean }) {
  const cookie = createCookie("visitor", {
    path: paths.visitorApi,
    httpOnly: true,
    sameSite: "strict",
    secure,
    // The maximum that browsers accept.
    maxAge: days(400) / 1000,
  });
  return {
    /** Returns the refresh token as received; it carries its own signature. */
    async read(request: Request): Promise<string | undefined> {
      const value: unknown = await cookie.parse(request.headers.get("Cookie"));
      return typeof value === "string" && value !== "" ? value : undefined;
    },
    keep: (refreshToken: string): Promise<string> => cookie.serialize(refreshToken),
  };
}
