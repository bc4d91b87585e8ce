import { createCookie } from "@remix-run/node";
import { days } from "~/lib/durations";
import { paths } from "~/paths";

/**
 * What brings a visitor who takes push messages back as the same one. It goes to the one address that reads it and to no
 * page, so pages stay the same for all (docs/decisions/0012).
 */
export function createVisitorCookie({ secure }: { secure: boolean }) {
  const cookie = createCookie("visitor", {
    path: paths.visitorApi,
    httpOnly: true,
    sameSite: "strict",
    secure,
    // The longest a browser keeps one.
    maxAge: days(400) / 1000,
  });
  return {
    /** The refresh token, as it came: signed by itself. */
    async read(request: Request): Promise<string | undefined> {
      const value: unknown = await cookie.parse(request.headers.get("Cookie"));
      return typeof value === "string" && value !== "" ? value : undefined;
    },
    /** The Set-Cookie value that keeps it. */
    keep: (refreshToken: string): Promise<string> => cookie.serialize(refreshToken),
  };
}
