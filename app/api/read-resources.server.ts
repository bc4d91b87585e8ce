import { resources } from "~/services/container.server";
import type { Latest } from "~/services/resources/resources.server";
import type { SystemResources } from "~/services/resources/system-resources";
import { problem, retryAfter } from "./problem.server";

/** The newest measurement. @throws a 503 answer when there is none. */
export const readResources = async (): Promise<SystemResources> => measured(await resources.latest());

/** Measures anew. @throws a 503 answer when that failed. */
export const checkResources = async (): Promise<SystemResources> => measured(await resources.check());

function measured(latest: Latest): SystemResources {
  if (!latest.ok) throw problem("not_measured", retryAfter(10));
  return latest.resources;
}
