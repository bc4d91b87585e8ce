import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { secondFactorMessages } from "~/content/second-factor";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { allValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, brand } from "~/services/container.server";
import { isRecoveryCode } from "~/services/second-factor/codes.server";

/** Redirects: the codes are shown only on the page that was just left. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.secondFactor);
}

/** Returns the submitted recovery codes as a file. Other values are not echoed. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const codes = allValues(await readForm(request), "code").filter(isRecoveryCode);
  if (codes.length === 0) return seeOther(paths.secondFactor);
  const lines = [secondFactorMessages.fileIntro(brand.name), operator.email, "", ...codes, ""];
  return new Response(lines.join("\n"), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="recovery-codes.txt"',
      "Cache-Control": "no-store",
    },
  });
}
