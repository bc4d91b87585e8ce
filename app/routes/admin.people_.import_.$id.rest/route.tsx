import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { describeLine, importMessages } from "~/content/imports";
import { csvDownload } from "~/http/csv-download.server";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { access, activity, imports } from "~/services/container.server";
import type { ImportedLine } from "~/services/imports/imports.server";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.peopleImport(params.id ?? ""));
}

/** The lines that did not become people, in the file's own columns, each with the reason. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const rest = await imports.readRest(params.id ?? "");
  if (!rest) return seeOther(paths.peopleImport(params.id ?? ""));
  await activity.recordExport("export-import-lines", rest.fileName, getActor(request, operator));
  const { headers, batches } = rest;
  const columns: [string, (line: ImportedLine) => string][] = headers.map((name, index) => [
    name || importMessages.column(index + 1),
    ({ cells }) => cells[index] ?? "",
  ]);
  columns.push([importMessages.page.reasonColumn, describeLine]);
  return csvDownload(request, `import-rest-${utcDay(Date.now())}.csv`, columns, batches);
}
