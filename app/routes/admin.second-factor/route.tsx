import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { useHydrated } from "~/components/use-hydrated";
import { operatorMessages } from "~/content/operator-messages";
import { access, secondFactor } from "~/services/container.server";
import { actOnSecondFactor } from "./actions.server";
import { Enrolment } from "./enrolment";
import { Facts } from "./facts";
import { IssuedCodes } from "./issued-codes";
import { TurnedOff } from "./turned-off";
import { TurnedOn } from "./turned-on";
import { CodeQuestion } from "./code-question";

const STEPS = ["renew", "turn-off"] as const;
const NOTICES = ["second-factor-on", "second-factor-off", "recovery-codes-kept", "enrolment-over"] as const;
const copy = operatorMessages.secondFactor;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.title) }];

/** Retry-After, when there were too many tries. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Open to accounts without a second factor where it is required too: this is the page that sets it up. */
export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireOwnPassword(request);
  const state = await secondFactor.stateOf(person);
  const { isRequired } = secondFactor;
  const asked = STEPS.find((known) => known === new URL(request.url).searchParams.get("step"));
  const isOpen = state.kind === "on" && !(asked === "turn-off" && isRequired);
  return { state, isRequired, step: isOpen ? asked : undefined, email: person.email, now: Date.now() };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireOwnPassword(request);
  return actOnSecondFactor(request, person);
}

/** One's own second factor: off, being set up, or on. */
export default function SecondFactor() {
  const { state, isRequired, step, email, now } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const hydrated = useHydrated();
  const issued = answer?.kind === "issued" ? answer : undefined;
  const refused = answer?.kind === "refused" ? answer : undefined;
  const question = issued ? undefined : step;
  // Without JavaScript nothing else holds the page back while a question stands over it (React 18 has no type for it).
  const held = question && !hydrated ? { inert: "" } : {};
  return (
    <>
      <div {...held} className="max-w-5xl">
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
        {issued ? null : <Notice only={NOTICES} className="mb-4" />}
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
          <Facts isOpen={!isRequired || state.kind === "on"} />
        </div>
      </div>
      {question ? <CodeQuestion step={question} email={email} refused={refused} /> : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
