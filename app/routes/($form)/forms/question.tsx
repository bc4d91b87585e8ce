import { createContext, useContext, type ReactNode } from "react";
import { Field, type FieldControl } from "~/components/field";
import type { FormAnswer } from "./form-state";

interface FormAround {
  /** Begins the id of each of its controls. */
  id: string;
  answer: FormAnswer | undefined;
}

const FormContext = createContext<FormAround>({ id: "", answer: undefined });
export const FormProvider = FormContext.Provider;

/** The id of a form's control, for links from the error summary. */
export const controlId = (form: string, name: string) => `${form}-${name}`;

type QuestionProps = {
  name: string;
  label: string;
  hint?: string;
  required: boolean;
  children: (control: FieldControl & { name: string; defaultValue: string }) => ReactNode;
};

/** A field of a visitor's form: knows by its name what was typed and what is wrong with it. */
export function Question({ name, children, ...field }: QuestionProps) {
  const { id, answer } = useContext(FormContext);
  return (
    <Field {...field} id={controlId(id, name)} error={answer?.errors[name]}>
      {(control) => children({ ...control, name, defaultValue: answer?.values[name] ?? "" })}
    </Field>
  );
}
