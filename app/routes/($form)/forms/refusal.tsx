import { forwardRef, type MouseEvent, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { messages } from "~/content/messages";
import type { FormAnswer, FormName } from "./form-state";
import { controlId } from "./question";

type RefusalProps = {
  form: FormName;
  answer: FormAnswer;
  /** Stands after the sentence of a failure. */
  children?: ReactNode;
};

/** Why a form was not taken: the failure's sentence, or each field's sentence as a link to it. */
export const Refusal = forwardRef<HTMLDivElement, RefusalProps>(function Refusal(
  { form, answer, children },
  ref,
) {
  if (answer.failure) {
    return (
      <Banner ref={ref} kind="error">
        {answer.failure}
        {children}
      </Banner>
    );
  }
  return (
    <Banner ref={ref} kind="error">
      <p className="font-medium">{messages.signup.incomplete}</p>
      <ul>
        {Object.entries(answer.errors).map(([name, sentence]) => (
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
    </Banner>
  );
});

/** With JavaScript the link moves the focus and not the address: another address would take the answer off the page. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  document.getElementById(event.currentTarget.hash.slice(1))?.focus();
}
