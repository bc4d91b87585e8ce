import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useNavigationType } from "@remix-run/react";
import { keepForm } from "~/components/keep-form";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SideNotes } from "~/components/side-notes";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { useInert } from "~/components/use-inert";
import { useLast } from "~/components/use-last";
import { backOfficeTitle } from "~/components/use-brand";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { paths } from "~/paths";
import { access, secondFactor } from "~/services/container.server";
import { actOnSecondFactor } from "./actions.server";
import { CodeQuestion, Enrolment, TurnedOff, TurnedOn } from "./forms";
import { IssuedCodes } from "./issued-codes";

const STEPS = ["renew", "turn-off"] as const;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** Allows accounts without a second factor even where one is required: this is the page that sets it up. */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireOwnPassword(request);
  const state = await secondFactor.getState(operator);
  const { isRequired } = secondFactor;
  const requestedStep = STEPS.find((known) => known === new URL(request.url).searchParams.get("step"));
  const isOpen = state.kind === "on" && !(requestedStep === "turn-off" && isRequired);
  return {
    state,
    isRequired,
    step: isOpen ? requestedStep : undefined,
    email: operator.email,
    now: Date.now(),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireOwnPassword(request);
  return actOnSecondFactor(request, operator);
}

export const clientAction = keepForm();

/** The account's own second factor: off, in setup, or on. */
export default function SecondFactor() {
  const { state, isRequired, step, email, now } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const notice = useNotice(["second-factor-on", "recovery-codes-kept"]);
  // Back may lead to the notice of earlier ones.
  const isKept = useNavigationType() !== "POP" && notice !== undefined;
  // They are shown once: until they are saved, also after the answer goes with the next navigation on the page.
  const shown = useLast(answer?.kind === "issued" ? answer : isKept ? ("kept" as const) : undefined);
  const issued = shown === "kept" ? undefined : shown;
  const refused = answer?.kind === "refused" ? answer : undefined;
  const question = issued ? undefined : step;
  const inert = useInert(question !== undefined);
  return (
    <>
      <div {...inert} className="max-w-5xl">
        <PageHeader
          title={copy.title}
          state={
            state.kind === "on" ? (
              <>
                {copy.on.since} <Timestamp at={state.since} now={now} />.
              </>
            ) : (
              copy[state.kind].state
            )
          }
        />
        {/* A refusal is shown in its form. */}
        {issued ? null : <Notice form="none" className="mb-4" />}
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-10">
          {issued ? <IssuedCodes issued={issued} email={email} /> : null}
          {!issued && state.kind === "off" ? (
            <TurnedOff email={email} isRequired={isRequired} refused={refused} />
          ) : null}
          {!issued && state.kind === "enrolling" ? <Enrolment {...state} refused={refused} /> : null}
          {!issued && state.kind === "on" ? (
            <TurnedOn
              recoveryCodesLeft={state.recoveryCodesLeft}
              isRequired={isRequired}
              refused={question ? undefined : refused}
            />
          ) : null}
          <SideNotes id="good-to-know" title={copy.facts.title}>
            {copy.facts.list.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
            {!isRequired || state.kind === "on" ? (
              <li>
                <TextLink to={paths.sessions}>{copy.facts.sessions}</TextLink>
              </li>
            ) : null}
          </SideNotes>
        </div>
      </div>
      {question ? <CodeQuestion step={question} email={email} refused={refused} /> : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
