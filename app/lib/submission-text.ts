import { capitalize } from "./capitalize";

interface Typed {
  readonly company: string;
  readonly role: string;
  readonly inquiry_type: string;
  readonly message: string;
}

/** Formats the fields of a submission other than name and address. */
export function submissionText(kind: string, { company, role, inquiry_type, message }: Typed): string {
  if (kind === "contact-form") return [capitalize(inquiry_type), message].filter(Boolean).join(": ");
  return [company, capitalize(role)].filter(Boolean).join(", ");
}
