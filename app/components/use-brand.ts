import { useRouteLoaderData } from "@remix-run/react";
import type { Brand } from "~/content/brand";

/** Data of the root loader, which every page has. */
interface RootData {
  brand: Brand;
}

/** Returns the brand of the settings; undefined where the root loader failed or did not run: on the root's error page. */
export function useLoadedBrand(): Brand | undefined {
  return useRouteLoaderData<RootData>("root")?.brand;
}

/** Returns the brand of the settings. */
export function useBrand(): Brand {
  const brand = useLoadedBrand();
  if (!brand) throw new Error("The root loader did not return the brand");
  return brand;
}

/** What a route's `meta` gets of each route of the page. */
type Matches = readonly { id: string; data?: unknown }[];

/** Returns the brand for a route's `meta`. Only the root's own may find none: if the root failed, Remix calls no other. */
export function getBrand(matches: Matches): Brand | undefined {
  const root = matches.find(({ id }) => id === "root")?.data as RootData | undefined;
  return root?.brand;
}

/** Returns the document title of a page of the back office: "Activity · Confer back office". */
export const backOfficeTitle = (matches: Matches, page: string) =>
  `${page} · ${getBrand(matches)?.name} back office`;
