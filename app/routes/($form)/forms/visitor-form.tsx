import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import type { Consent } from "./consents";
import { formPaths, type FormName, type FormState } from "./form-state";
import { HiddenFields } from "./hidden-fields";
import { FormProvider } from "./question";
import { Refusal } from "./refusal";

type VisitorFormProps = {
  name: FormName;
  /** Where it posts to, when that is more than its address. */
  action?: string;
  state: FormState;
  consent: Consent;
  button: string;
  /** The button's label while the form is on its way. */
  busyButton: string;
  buttonClassName?: string;
  /** What happens next. */
  next: string;
  /** Stands after the sentence of a failure. */
  failureHelp?: ReactNode;
  /** The questions. */
  children: ReactNode;
};

/** What the three forms have in common: idle, submitting, refused (specification, section 4), and the small print. */
export function VisitorForm(props: VisitorFormProps) {
  const { name, action = formPaths[name], state, consent, button, busyButton, next } = props;
  const { answer, stamp, thanked } = state;
  const busy = useNavigation().formAction === formPaths[name];
  const form = useRef<HTMLFormElement>(null);
  const refusal = useRef<HTMLDivElement>(null);

  // After a refusal the reader stands where the trouble is. Each answer is another object.
  useEffect(() => {
    if (!answer) return;
    (form.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? refusal.current)?.focus();
  }, [answer]);
  useEffect(() => {
    if (thanked) form.current?.reset();
  }, [thanked]);

  return (
    <Form ref={form} method="post" action={action} replace preventScrollReset className="flex flex-col gap-5">
      {answer ? (
        <Refusal ref={refusal} form={name} answer={answer}>
          {props.failureHelp}
        </Refusal>
      ) : null}
      <FormProvider value={{ id: name, answer }}>{props.children}</FormProvider>
      <HiddenFields stamp={stamp} />
      <div className="mt-1 border-t pt-5">
        <Button type="submit" disabled={busy} className={cn("w-full", props.buttonClassName)}>
          {busy ? busyButton : button}
        </Button>
        <p className="mt-4 max-w-[68ch] text-xs text-muted-foreground">{consent.wording}</p>
        <p className="mt-2 text-xs text-muted-foreground">What happens next: {next}</p>
      </div>
    </Form>
  );
}
