import { Form, useNavigate, useNavigation } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, type MouseEvent, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { Field, type FieldControl } from "~/components/field";
import { Button } from "~/components/ui/button";
import { messages } from "~/content/messages";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { forms, type FormAnswer, type FormName, type FormState } from "./forms";

type VisitorFormProps = {
  name: FormName;
  state: FormState;
  button: string;
  busyButton: string;
  buttonClassName?: string;
  /** Says what happens after submission. */
  next: string;
  /** Follows the sentence of a failure. */
  failureHelp?: ReactNode;
  children: ReactNode;
};

/** The common parts of the three forms: idle, submitting and refused states (specification, section 4). */
export function VisitorForm(props: VisitorFormProps) {
  const { name, button, busyButton, next } = props;
  const { answer, stamp, thanked } = props.state;
  const { path, fragment, consent } = forms[name];
  const busy = useNavigation().formAction === path;
  const form = useRef<HTMLFormElement>(null);
  const refusal = useRef<HTMLDivElement>(null);

  // Moves the focus to the error after a refusal. Each response is a new object.
  useEffect(() => {
    if (!answer) return;
    (form.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? refusal.current)?.focus();
  }, [answer]);
  useEffect(() => {
    if (thanked) form.current?.reset();
  }, [thanked]);

  return (
    <Form
      ref={form}
      method="post"
      action={path + fragment}
      replace
      preventScrollReset
      className="flex flex-col gap-5"
    >
      {answer ? (
        <Banner ref={refusal} kind="error">
          {answer.message ?? <Errors form={name} errors={answer.errors} />}
          {answer.message ? props.failureHelp : null}
        </Banner>
      ) : null}
      <FormContext.Provider value={{ form: name, answer }}>{props.children}</FormContext.Provider>
      {/* Bot detection (docs/decisions/0006): the signed render time, and a field only programs fill in. */}
      <input type="hidden" name="stamp" value={stamp} />
      <div aria-hidden className="absolute size-px overflow-hidden opacity-0">
        <label>
          Website <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div className="mt-1 border-t pt-5">
        <Button size="lg" type="submit" disabled={busy} className={cn("w-full", props.buttonClassName)}>
          {busy ? busyButton : button}
        </Button>
        <p className="mt-4 max-w-[42.9em] text-xs text-muted-foreground">{consent.wording}</p>
        <p className="mt-2 text-xs text-muted-foreground">What happens next: {next}</p>
      </div>
    </Form>
  );
}

const FormContext = createContext<{ form: FormName; answer: FormAnswer | undefined } | undefined>(undefined);

const controlId = (form: FormName | undefined, name: string) => `${form}-${name}`;

type QuestionProps = {
  name: string;
  label: string;
  hint?: string;
  required: boolean;
  children: (control: FieldControl & { name: string; defaultValue: string }) => ReactNode;
};

/** A field of a visitor form; reads its submitted value and its error by name. */
export function Question({ name, children, ...field }: QuestionProps) {
  const { form, answer } = useContext(FormContext) ?? {};
  return (
    <Field {...field} id={controlId(form, name)} error={answer?.errors[name]}>
      {(control) => children({ ...control, name, defaultValue: answer?.values[name] ?? "" })}
    </Field>
  );
}

type ErrorsProps = { form: FormName } & Pick<FormAnswer, "errors">;

/** Lists the error of each field as a link to it. */
function Errors({ form, errors }: ErrorsProps) {
  return (
    <>
      <p className="font-medium">{messages.signup.incomplete}</p>
      <ul>
        {Object.entries(errors).map(([name, sentence]) => (
          <li key={name}>
            <a
              href={`#${controlId(form, name)}`}
              onClick={focusTarget}
              className="underline underline-offset-2"
            >
              {sentence}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Moves the focus only (JavaScript): a changed address would discard the action's response. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  document.getElementById(event.currentTarget.hash.slice(1))?.focus();
}

/** Leaves a form's success message after `ms` (specification, section 9), with JavaScript only. */
export function useLeaveAfter(ms: number, thanked: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!thanked) return;
    const timer = setTimeout(() => {
      navigate(paths.landing, { preventScrollReset: true, replace: true });
    }, ms);
    return () => clearTimeout(timer);
  }, [navigate, ms, thanked]);
}
