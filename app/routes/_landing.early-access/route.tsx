import { data } from "@remix-run/node";
import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { brand } from "~/brand";
import { paths } from "~/paths";
import { signups } from "~/services/container.server";
import { submitEarlyAccess } from "./actions.server";
import { EarlyAccessForm } from "./early-access-form";

const EMPTY = { name: "", email: "", company: "", role: "" };

export const meta: MetaFunction = () => [
  { title: `Sign up for early access · ${brand.name}` },
  { name: "description", content: `Be among the first teams to try ${brand.name}.` },
];

/** Retry-After, when there were too many. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const done = new URL(request.url).searchParams.get("notice") === "registered";
  return data({ stamp: signups.stampForm(), done });
}

export async function action({ request }: ActionFunctionArgs) {
  return submitEarlyAccess(request);
}

/** The landing page with the early access dialog open. */
export default function EarlyAccess() {
  const { stamp, done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const busy = useNavigation().formAction === paths.earlyAccess;
  return (
    <EarlyAccessForm
      stamp={stamp}
      values={{ ...EMPTY, ...answer?.values }}
      errors={answer?.errors ?? {}}
      failure={answer?.failure}
      done={done}
      busy={busy}
    />
  );
}
