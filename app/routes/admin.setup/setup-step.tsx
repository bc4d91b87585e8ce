import { Form, useNavigation } from "@remix-run/react";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  Minus,
  RefreshCw,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { CopyButton } from "~/components/copy-button";
import { IntentButton } from "~/components/intent-button";
import {
  Collapsible,
  CollapsibleContent,
  CollapsibleIcon,
  CollapsibleTrigger,
} from "~/components/ui/collapsible";
import { setupMessages as copy } from "~/content/setup";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { CheckView, StepView } from "~/services/setup/setup.server";
import { Proof } from "./proofs";
import type { SetupView } from "./setup-view.server";

/** A shape for each state, because its colour alone conveys nothing. */
const STATES = {
  done: { Icon: CircleCheck, className: "text-success" },
  open: { Icon: CircleDot, className: "text-warning" },
  unproven: { Icon: CircleDashed, className: "text-muted-foreground" },
} as const satisfies Record<StepView["state"], { Icon: LucideIcon; className: string }>;

const RESULTS = {
  ok: { Icon: CircleCheck, className: "text-success" },
  error: { Icon: CircleAlert, className: "text-destructive" },
  warning: { Icon: TriangleAlert, className: "text-warning" },
  "not applicable": { Icon: Minus, className: "text-muted-foreground" },
} as const satisfies Record<NonNullable<CheckView["state"]>, { Icon: LucideIcon; className: string }>;

interface SetupStepProps {
  step: StepView;
  number: number;
  isOpen: boolean;
  view: SetupView;
}

/** One step: its state, why it matters, what to set, and how to try it. */
export function SetupStep({ step, number, isOpen, view }: SetupStepProps) {
  const { title, why, docs } = copy.steps[step.name];
  const { Icon, className } = STATES[step.state];
  const problems = step.checks.filter(({ state }) => state === "error" || state === "warning");
  const fine = step.checks.filter(({ state }) => state === "ok" || state === "not applicable");
  const notMade = step.checks.filter(({ state }) => state === undefined);
  return (
    <li id={step.name} className="scroll-mt-16">
      <Collapsible open={isOpen}>
        <CollapsibleTrigger className="min-h-11 gap-3 px-4 py-2 hover:bg-muted/60">
          <Icon aria-hidden className={cn("size-5 shrink-0", className)} />
          <h2 className="min-w-0 flex-1 text-sm font-semibold">
            <span className="font-normal text-muted-foreground tabular-nums">{number}.</span> {title}
          </h2>
          <span className={cn("shrink-0 text-xs font-medium", className)}>{copy.states[step.state]}</span>
          <CollapsibleIcon />
        </CollapsibleTrigger>
        <CollapsibleContent className="flex flex-col gap-4 px-4 pt-1 pb-5 text-sm sm:pl-12">
          <p className="max-w-[42.9em] text-muted-foreground">
            {why} {copy.more} <code className="font-mono text-xs">{docs[0]}</code>, “{docs[1]}”.
          </p>
          {problems.length > 0 ? <Checks checks={problems} /> : null}
          <Proof name={step.name} view={view} />
          {notMade.length > 0 ? (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <p className="min-w-0 text-muted-foreground">{copy.notMade(notMade.length)}</p>
              <CheckForm step={step.name} />
            </div>
          ) : null}
          {fine.length > 0 ? (
            <Collapsible>
              <CollapsibleTrigger className="w-fit text-xs text-muted-foreground hover:text-foreground">
                <CollapsibleIcon className="-ml-1" />
                {copy.fine(fine.length)}
              </CollapsibleTrigger>
              <CollapsibleContent className="pt-3">
                <Checks checks={fine} />
              </CollapsibleContent>
            </Collapsible>
          ) : null}
        </CollapsibleContent>
      </Collapsible>
    </li>
  );
}

/** Lists results; those with a problem also say which settings to change. */
function Checks({ checks }: { checks: readonly CheckView[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {checks.map(({ name, state, why, settings }) => {
        if (state === undefined) return null;
        const { Icon, className } = RESULTS[state];
        const isProblem = state === "error" || state === "warning";
        return (
          <li key={name} className="flex gap-2.5">
            <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", className)} />
            <div className="flex min-w-0 flex-col gap-1.5">
              <p className="max-w-[42.9em] wrap-anywhere">
                <span className={cn("font-medium", className)}>{copy.results[state]}:</span> {why}
              </p>
              {isProblem && settings.length > 0 ? <Settings names={settings} /> : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Names of settings, to be copied. */
function Settings({ names }: { names: readonly string[] }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
      {copy.set}
      {names.map((name) => (
        <span key={name} className="inline-flex items-center gap-1">
          <code className="rounded-sm border bg-background px-1.5 py-0.5 font-mono text-foreground select-all">
            {name}
          </code>
          <CopyButton text={name} label={copy.copy(name)} variant="ghost" size="icon" />
        </span>
      ))}
    </p>
  );
}

/** Makes the slow checks, of other systems and of this machine. @param step the step that is open afterwards. */
export function CheckForm({ step }: { step?: string }) {
  const isChecking = useNavigation().formData?.get("intent") === "check";
  return (
    <Form method="post" action={paths.setup}>
      {step ? <input type="hidden" name="step" value={step} /> : null}
      <IntentButton intent="check" size={step ? "sm" : "default"} disabled={isChecking}>
        <RefreshCw aria-hidden />
        {isChecking ? copy.checking : copy.check}
      </IntentButton>
    </Form>
  );
}
