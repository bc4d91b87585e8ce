import type { LoaderFunctionArgs } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { getLogsView } from "~/routes/admin.logs/logs-view.server";
import { access } from "~/services/container.server";

/** Returns the view of /admin/logs under the same filter, for a live page; the request guard does not log it. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return { view: await getLogsView(new URL(request.url).searchParams), isAway: false };
}

/** Returns nothing when the server is unavailable, so that the error does not replace the page. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch (error) {
    if (error instanceof Response) throw error;
    return { view: undefined, isAway: true };
  }
}
