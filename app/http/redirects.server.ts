import { redirect } from "@remix-run/node";
import { toAdminPath } from "~/lib/admin-path";

/** Headers of a redirect that a page with JavaScript follows by loading a document: it may lead to a file, and no screen. */
export const AS_DOCUMENT = { "X-Remix-Reload-Document": "true" } as const;

/** Redirects with 303. @throws for anything a browser might read as another site (hardening, section 4). */
export function seeOther(path: string, headers: Record<string, string> = {}): Response {
  return redirectTo(path, { status: 303, headers });
}

/** Forwards a form to another path of this site: 307 keeps the method and the body. Throws as seeOther does. */
export function forwardTo(path: string): Response {
  return redirectTo(path, { status: 307 });
}

/** Redirects with 302 to another site's page. @param url of a setting, never of a request. */
export function leaveTo(url: string, headers: Record<string, string>): Response {
  return redirect(url, { status: 302, headers });
}

/** Returns the back office path in `?redirectTo=`, to which a login or an interstitial page leads. */
export function getReturnPath(request: Request): string {
  return toAdminPath(new URL(request.url).searchParams.getAll("redirectTo"));
}

/** A path of this site: browsers read a backslash as a slash, except in a search or fragment. */
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const OWN_PATH = /^\/(?![/\\])[^\u0000-\u001f\\?#]*(?:[?#][^\u0000-\u001f]*)?$/;

function redirectTo(path: string, init: ResponseInit): Response {
  if (!OWN_PATH.test(path)) throw new Error("A redirect must lead to a path of this site");
  return redirect(path, init);
}
