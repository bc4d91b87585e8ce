import type { IncomingMessage } from "node:http";
import { sessionCookieName } from "../../app/lib/session-cookie-name.ts";

/** Tracking parameters of links, which no page of ours reads on the server: the source of a visit, and others' ids. */
const CAMPAIGN_PARAMETER = /^(?:via|utm_[a-z_]+|[a-z]{1,5}clid|msclkid|gad_[a-z]+|[gw]braid|mc_[ce]id)=/;

/** Returns whether the landing page answers; a URL with another parameter, such as a notice, is the application's. */
export function isLandingPageRequest(request: Pick<IncomingMessage, "method" | "url">): boolean {
  const { method, url = "" } = request;
  if (method !== "GET" && method !== "HEAD") return false;
  if (url === "/") return true;
  if (!url.startsWith("/?")) return false;
  const parameters = url.slice(2).split("&");
  return parameters.every((parameter) => CAMPAIGN_PARAMETER.test(parameter));
}

/** Returns whether a session cookie came along; only the application can verify it. */
export function hasSessionCookie(cookies: string | undefined, https: boolean): boolean {
  if (cookies === undefined) return false;
  const name = `${sessionCookieName(https)}=`;
  return cookies.split(";").some((cookie) => cookie.trimStart().startsWith(name));
}
