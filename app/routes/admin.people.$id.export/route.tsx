import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { report } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { paths } from "~/paths";
import { access, people } from "~/services/container.server";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.person(params.id ?? ""));
}

/** Exports all data stored about the person, unpaged: a person has few rows. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const id = params.id ?? "";
  const data = await people.export(id, getActor(request, operator));
  if (!data) return report("person-gone", paths.people);
  return new Response(`${JSON.stringify(data, formatTime, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="person-${id.slice(0, 8)}.json"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Formats a time as ISO 8601 where the property's name says that it is one. */
function formatTime(name: string, value: unknown): unknown {
  return typeof value === "number" && /(?:^at|_at|At)$/.test(name) ? new Date(value).toISOString() : value;
}
