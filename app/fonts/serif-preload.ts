import type { LinksFunction } from "@remix-run/node";
import serifUrl from "./instrument-serif-subset.woff2?url";

/** Fetches the face of titles with the page, so that they are not drawn in another one first. */
const serifPreload = {
  rel: "preload",
  href: serifUrl,
  as: "font",
  type: "font/woff2",
  crossOrigin: "anonymous",
} as const;

/** The `links` of a route whose title is in it. */
export const serifLinks: LinksFunction = () => [serifPreload];
