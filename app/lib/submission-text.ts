import { capitalize } from "./capitalize";
import { getFields, type SubmissionKind, type TypedColumns } from "./form-fields";

/** Formats the fields of a submission other than name and address: "Acme, Developer" or "Support: the message". */
export function submissionText(kind: SubmissionKind, submission: TypedColumns): string {
  const others = getFields(kind).filter(({ column }) => column !== "name" && column !== "email");
  const isLong = ({ rule }: (typeof others)[number]) => "multiline" in rule;
  const format = ({ column, rule }: (typeof others)[number]) =>
    rule.kind === "choice" ? capitalize(submission[column]) : submission[column];
  const short = others.filter((field) => !isLong(field)).map(format);
  const long = others.filter(isLong).map(format);
  return [short.filter(Boolean).join(", "), ...long].filter(Boolean).join(": ");
}
