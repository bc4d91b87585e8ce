import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { jsonDownload } from "~/http/json-download.server";
import { paths } from "~/paths";
import { report } from "~/http/action-result.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { access, people } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.person(params.id ?? ""));
}

/** Exports all data stored about the person, unpaged: a person has few rows. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const id = params.id ?? "";
  const data = await people.export(id, getActor(request, person));
  if (!data) return report("person-gone", paths.submissionTable(SUBMISSION_KINDS[0]));
  return jsonDownload(`person-${id.slice(0, 8)}.json`, formatTimes(data));
}

/** Formats times as ISO 8601 wherever the property's name says that it is a time. */
function formatTimes(data: object): unknown {
  const isTime = (name: string, value: unknown) => typeof value === "number" && /(?:_at|At)$/.test(name);
  return JSON.parse(
    JSON.stringify(data, (name, value: unknown) =>
      isTime(name, value) ? new Date(value as number).toISOString() : value,
    ),
  );
}
