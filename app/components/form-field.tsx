import { useId, useState, type FormEvent, type ReactNode } from "react";
import { Field, FieldDescription, FieldError, FieldLabel } from "~/components/ui/field";

/** Props that tie a control to its label, hint and error: spread them onto the input, select or textarea. */
export type FieldControl = {
  id: string;
  required: boolean | undefined;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FormFieldProps = {
  label: string;
  /** The purpose or the format of the answer. Rendered between label and control. */
  hint?: ReactNode;
  /** One sentence: what is wrong and what to do. */
  error?: string;
  /** true writes "Required" beside the label, false "Optional", undefined nothing. */
  required?: boolean;
  /** Fixed id for links from an error summary; generated when missing. */
  id?: string;
  className?: string;
  children: (control: FieldControl) => ReactNode;
};

/** Renders label, hint, control and error. With JavaScript the error disappears once the control is changed. */
export function FormField({
  label,
  hint,
  error: refusal,
  required,
  id,
  className,
  children,
}: FormFieldProps) {
  const [isChanged, setChanged] = useState(false);
  const error = isChanged ? undefined : refusal;
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const hintId = hint ? `${controlId}-hint` : undefined;
  const errorId = error ? `${controlId}-error` : undefined;
  const onInput = (event: FormEvent<HTMLElement>) => {
    setChanged(true);
    // The server may refuse the changed value with the same error.
    const form = event.currentTarget.closest("form");
    form?.addEventListener("submit", () => setChanged(false), { once: true });
  };
  return (
    <Field onInput={error ? onInput : undefined} className={className}>
      <div className="flex items-baseline justify-between gap-3">
        <FieldLabel htmlFor={controlId}>{label}</FieldLabel>
        {required === undefined ? null : (
          // The control's own `required` tells screen readers the same.
          <span aria-hidden className="shrink-0 text-2xs text-muted-foreground">
            {required ? "Required" : "Optional"}
          </span>
        )}
      </div>
      {hint ? <FieldDescription id={hintId}>{hint}</FieldDescription> : null}
      {children({
        id: controlId,
        required: required || undefined,
        "aria-describedby": [hintId, errorId].filter(Boolean).join(" ") || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </Field>
  );
}
