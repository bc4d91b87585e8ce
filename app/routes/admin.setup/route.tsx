import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { CopyableCode } from "~/components/copyable-code";
import { IntentButton } from "~/components/intent-button";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SideNotes } from "~/components/side-notes";
import { Timestamp } from "~/components/timestamp";
import { Progress } from "~/components/ui/progress";
import { backOfficeTitle } from "~/components/use-brand";
import { setupMessages as copy } from "~/content/setup";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnSetup } from "./actions.server";
import { CheckForm, SetupStep } from "./setup-step";
import { getSetupView } from "./setup-view.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireRole(request, "superadmin");
  return getSetupView(new URL(request.url).searchParams, operator);
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireRole(request, "superadmin");
  return actOnSetup(request, operator);
}

export const clientAction = keepForm();

/** The setup screen: what is left to do before the page is public, in the order in which a newcomer does it. */
export default function Setup() {
  const view = useLoaderData<typeof loader>();
  const { steps, progress, checkedAt, openStep, now } = view;
  return (
    <>
      <PageHeader
        title={copy.title}
        state={
          <>
            {copy.progress(progress)}. {progress.next ? `${copy.next(progress.next)}.` : copy.complete}{" "}
            {checkedAt === undefined ? (
              copy.notChecked
            ) : (
              <>
                {copy.lastCheck} <Timestamp at={checkedAt} now={now} />.
              </>
            )}
          </>
        }
        actions={<CheckForm />}
      />
      <div className="flex flex-col gap-6">
        <Notice />
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(18rem,1fr)]">
          <div className="rounded-lg border bg-card">
            <Progress
              aria-label={copy.progressLabel}
              value={progress.done}
              max={progress.total}
              variant={progress.next ? "default" : "success"}
              className="block h-1 rounded-none rounded-t-lg"
            />
            <ol className="divide-y">
              {steps.map((step, index) => (
                <SetupStep
                  // Opens and closes again when another step is the one to look at.
                  key={`${step.name} ${openStep}`}
                  step={step}
                  number={index + 1}
                  isOpen={step.name === openStep}
                  view={view}
                />
              ))}
            </ol>
          </div>
          <Notes isCardDismissed={view.isCardDismissed} isComplete={progress.next === undefined} />
        </div>
      </div>
    </>
  );
}

function Notes({ isCardDismissed, isComplete }: { isCardDismissed: boolean; isComplete: boolean }) {
  const { notes, card } = copy;
  return (
    <SideNotes id="setup-notes" title={notes.title}>
      <li>{notes.proof}</li>
      <li>{notes.settings}</li>
      <li className="flex flex-col gap-2">
        {notes.command}
        <CopyableCode text={notes.checkCommand} />
      </li>
      {isComplete ? null : isCardDismissed ? (
        <li>
          <Form method="post" action={paths.setup} className="flex flex-wrap items-center gap-2">
            {card.dismissed}
            <IntentButton intent="restore-card" size="sm">
              {card.restore}
            </IntentButton>
          </Form>
        </li>
      ) : (
        <li>{card.shown}</li>
      )}
    </SideNotes>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
