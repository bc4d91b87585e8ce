import { Form, useNavigate, useNavigation } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, type MouseEvent, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { FormField, type FieldControl } from "~/components/form-field";
import { Button } from "~/components/ui/button";
import { useBrand } from "~/components/use-brand";
import { useHydrated } from "~/components/use-hydrated";
import { messages } from "~/content/messages";
import { getFirstSource } from "~/lib/first-touch";
import { BOT_CHECK_INPUTS, SOURCE_INPUT } from "~/lib/form-fields";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { NewTabLink } from "../new-tab-link";
import { useTexts } from "../use-texts";
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
  const { path, fragment } = forms[name];
  const { privacyUrl } = useBrand();
  const {
    consents,
    links,
    forms: { nextLabel },
  } = useTexts();
  const isSubmitting = useNavigation().formAction === path;
  const form = useRef<HTMLFormElement>(null);
  const source = useHydrated() ? getFirstSource() : "";
  const refusal = useRef<HTMLDivElement>(null);

  // Whoever types by the time the scripts have come, after an answer that came with the page, goes on there.
  const firstAnswer = useRef(answer);
  // Moves the focus to the error after a refusal. Each response is a new object.
  useEffect(() => {
    const isTyping = answer === firstAnswer.current && form.current?.contains(document.activeElement);
    if (!answer || isTyping) return;
    (form.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? refusal.current)?.focus();
  }, [answer]);
  useOnceThanked(thanked, () => form.current?.reset());

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
        <Banner ref={refusal} kind="error" title={answer.message ? undefined : messages.signup.incomplete}>
          {answer.message ?? <Errors form={name} errors={answer.errors} />}
          {answer.message ? props.failureHelp : null}
        </Banner>
      ) : null}
      <FormContext.Provider value={{ form: name, answer }}>{props.children}</FormContext.Provider>
      {/* Bot detection (docs/decisions/0006): the signed render time, and a field only programs fill in. */}
      <input type="hidden" name={BOT_CHECK_INPUTS.renderTime} value={stamp} />
      <input type="hidden" name={SOURCE_INPUT} value={source} />
      <div aria-hidden className="absolute size-px overflow-hidden opacity-0">
        <label>
          Website <input name={BOT_CHECK_INPUTS.honeypot} tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div className="mt-1 border-t pt-5">
        <Button
          size="lg"
          type="submit"
          disabled={isSubmitting}
          className={cn("w-full", props.buttonClassName)}
        >
          {isSubmitting ? busyButton : button}
        </Button>
        <p className="mt-4 max-w-[42.9em] text-xs text-muted-foreground">
          {consents[name]}
          {privacyUrl ? (
            <>
              {" "}
              <NewTabLink href={privacyUrl} className="underline underline-offset-2 hover:text-foreground">
                {links.privacy}
              </NewTabLink>
            </>
          ) : null}
        </p>
        <p className="mt-2 text-xs text-muted-foreground">
          {nextLabel} {next}
        </p>
      </div>
    </Form>
  );
}

/** Does the work once the form was stored, not when the page came with the thanks: a person may be typing the next. */
export function useOnceThanked(thanked: boolean, work: () => void): void {
  const before = useRef(thanked);
  useEffect(() => {
    if (thanked && !before.current) work();
    before.current = thanked;
  });
}

const FormContext = createContext<{ form: FormName; answer: FormAnswer | undefined } | undefined>(undefined);

function useVisitorForm() {
  const context = useContext(FormContext);
  if (!context) throw new Error("A VisitorField stands in a VisitorForm");
  return context;
}

const controlId = (form: FormName, name: string) => `${form}-${name}`;

type VisitorFieldProps = {
  name: string;
  label: string;
  hint?: string;
  required: boolean;
  children: (control: FieldControl & { name: string; defaultValue: string }) => ReactNode;
};

/** A field of a visitor form; reads its submitted value and its error by name. */
export function VisitorField({ name, children, ...field }: VisitorFieldProps) {
  const { form, answer } = useVisitorForm();
  return (
    <FormField {...field} id={controlId(form, name)} error={answer?.errors[name]}>
      {(control) => children({ ...control, name, defaultValue: answer?.values[name] ?? "" })}
    </FormField>
  );
}

/** The choices of a select: value -> label. */
export function Options({ labels }: { labels: Readonly<Record<string, string>> }) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

type ErrorsProps = { form: FormName } & Pick<FormAnswer, "errors">;

/** Lists the error of each field as a link to it. */
function Errors({ form, errors }: ErrorsProps) {
  return (
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
  );
}

/** Moves the focus only (JavaScript): a changed address would discard the action's response. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  document.getElementById(event.currentTarget.hash.slice(1))?.focus();
}

/**
 * Leads back to the landing page after `ms` (specification, section 9), with JavaScript only.
 * @param leaves false without a success message, and with one that stays.
 */
export function useLeaveAfter(ms: number, leaves: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(() => {
      navigate(paths.landing, { preventScrollReset: true, replace: true });
    }, ms);
    return () => clearTimeout(timer);
  }, [navigate, ms, leaves]);
}
