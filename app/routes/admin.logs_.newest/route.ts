import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirect, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { getLogsView, type NewestLogs } from "~/http/logs-view.server";
import { access, logs } from "~/services/container.server";

/** Returns the view of /admin/logs under the same filter, for a live page; the request guard does not log it. */
export async function loader({ request }: LoaderFunctionArgs): Promise<NewestLogs> {
  const operator = await access.requireAccount(request);
  return { view: await getLogsView(logs, new URL(request.url).searchParams, operator), isAway: false };
}

/**
 * Returns nothing when the server is unavailable, so that the error does not replace the page. A redirect of the guard is
 * left to the page's own: the login leads back to the page, and not to this data.
 */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<NewestLogs> {
  try {
    return await serverLoader<NewestLogs>();
  } catch (error) {
    if (error instanceof Response) {
      const { pathname, search } = window.location;
      throw redirect(pathname + search);
    }
    return { view: undefined, isAway: true };
  }
}
