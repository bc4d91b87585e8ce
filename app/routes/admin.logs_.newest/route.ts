import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirect, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { getLogsView, type NewestLogs } from "~/http/logs-view.server";
import { UpstreamError } from "~/lib/upstream-error";
import { access, logs } from "~/services/container.server";

/** Returns the view of /admin/logs under the same filter, for a live page; the request guard does not log it. */
export async function loader({ request }: LoaderFunctionArgs): Promise<NewestLogs> {
  const operator = await access.requireAccount(request);
  try {
    return { view: await getLogsView(logs, new URL(request.url).searchParams, operator) };
  } catch (error) {
    // The platform's log, which every live page would report every two seconds.
    if (error instanceof UpstreamError) return { view: undefined };
    throw error;
  }
}

/**
 * Returns no view when the server answers with an error, so that the error does not replace the page. When the session has
 * ended, the page itself is loaded again: the login leads back to it, and not to this data.
 */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<NewestLogs> {
  try {
    return await serverLoader<NewestLogs>();
  } catch (error) {
    // Remix throws a redirect as a response, and nothing else.
    if (error instanceof Response) {
      const { pathname, search } = window.location;
      throw redirect(pathname + search);
    }
    return { view: undefined };
  }
}
