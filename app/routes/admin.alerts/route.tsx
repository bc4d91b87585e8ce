import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Fragment } from "react";
import { Banner } from "~/components/banner";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SideNotes } from "~/components/side-notes";
import { TextLink } from "~/components/text-link";
import { backOfficeTitle } from "~/components/use-brand";
import { alertMessages as copy } from "~/content/alerts";
import { formatEmailState } from "~/content/email-state";
import { ALERT_EVENTS } from "~/lib/alert-choices";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnAlerts } from "./actions.server";
import { loadAlerts, type AlertsView } from "./alerts-view.server";
import { ChoicesForm, toPage } from "./choices-form";
import { TestCard } from "./test-card";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  return loadAlerts(operator);
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnAlerts(request, operator);
}

export const clientAction = keepForm(({ values }) => ({ form: values.intent }));

/** What the person is told about by email, and a way to try it. */
export default function Alerts() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="max-w-6xl">
      <PageHeader title={copy.title} state={copy.state} />
      <div className="mb-4 flex flex-col gap-2 empty:hidden">
        <Notice />
        {view.suppression === undefined ? null : (
          <Banner kind="error">
            {copy.suppressed(view.email)} <TextLink to={paths.suppressions}>{copy.suppressions}</TextLink>
          </Banner>
        )}
        {view.lostEmail && view.suppression === undefined ? (
          <Unreached lostEmail={view.lostEmail} unopened={view.unopened} />
        ) : null}
        {view.isOutbox ? <Banner kind="info">{copy.outbox}</Banner> : null}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ChoicesForm view={view} refused={answer?.form === "choose" ? answer : undefined} />
        <div className="flex flex-col gap-6">
          <TestCard view={view} />
          <SideNotes id="alert-notes" title={copy.notes.title}>
            {copy.notes.items.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </SideNotes>
        </div>
      </div>
    </div>
  );
}

type UnreachedProps = Pick<AlertsView, "unopened"> & { lostEmail: NonNullable<AlertsView["lostEmail"]> };

/**
 * Says that an alert or a test did not arrive, and leads to what the person was told at once and has not opened: of
 * campaigns the first three.
 */
function Unreached({ lostEmail, unopened }: UnreachedProps) {
  const pages = ALERT_EVENTS.flatMap((event) => unopened[event].map(({ subject }) => ({ event, subject })));
  return (
    <Banner kind="error" title={copy.unreached(formatEmailState(lostEmail.state))}>
      {copy.unreachedAdvice}{" "}
      {pages.map(({ event, subject }) => (
        <Fragment key={`${event} ${subject}`}>
          <TextLink to={toPage(event, subject)}>{copy.openPage[event]}</TextLink>{" "}
        </Fragment>
      ))}
    </Banner>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
