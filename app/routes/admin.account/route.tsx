import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { keepForm, stayOnPage } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Card } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { accountMessages as copy } from "~/content/account";
import { paths } from "~/paths";
import { access, appearanceCookie } from "~/services/container.server";
import { loadAccount } from "./account-view.server";
import { actOnAccount } from "./actions.server";
import { MoreScreens } from "./more-screens";
import { EmailSection, NameSection, TimeZoneSection } from "./sections";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { theme } = await appearanceCookie.read(request);
  return { ...(await loadAccount(operator)), theme };
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnAccount(request, operator);
}

/** Its forms show their refusals themselves, and the form of the address those of the button above it. */
const keep = keepForm(({ values: { intent } }) => ({ form: intent === "withdraw-email" ? "email" : intent }));

/** The frame's offer of a time zone is on every screen. */
export const clientAction = (args: ClientActionFunctionArgs) =>
  window.location.pathname === paths.account ? keep(args) : stayOnPage(args);

/** The account's own name, address and time zone, and the way to all other personal screens. */
export default function Account() {
  const { theme, ...account } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="max-w-6xl">
      <PageHeader title={copy.title} state={copy.state} />
      {/* A refusal is shown in its form. */}
      <Notice form="none" className="mb-4" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card className="divide-y">
          <NameSection account={account} refused={answer?.form === "name" ? answer : undefined} />
          <EmailSection account={account} refused={answer?.form === "email" ? answer : undefined} />
          <TimeZoneSection account={account} refused={answer?.form === "time-zone" ? answer : undefined} />
        </Card>
        <MoreScreens hasSecondFactor={account.hasSecondFactor} theme={theme} />
      </div>
    </div>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
