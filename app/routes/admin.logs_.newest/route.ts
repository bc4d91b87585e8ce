import type { LoaderFunctionArgs } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { logsView } from "~/routes/admin.logs/logs-view.server";
import { access } from "~/services/container.server";

/** What /admin/logs shows under the same filter, for a page that is live; the guard does not log it. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return { view: await logsView(new URL(request.url).searchParams), isAway: false };
}

/** A server that is away for a moment must not take the page with it. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch (error) {
    if (error instanceof Response) throw error;
    return { view: undefined, isAway: true };
  }
}
