import { isUtf8 } from "node:buffer";
import { parseFormData } from "@remix-run/form-data-parser";
import type { FormValues } from "~/lib/parse-form";

/** Limits of a form with a file, whose size the guard has limited (hardening C37). */
const FORM_LIMITS = { maxFiles: 1, maxFileSize: Infinity, maxParts: 20 };

/**
 * Reads a form that the guard has limited (C37). A field sent once is a string, a repeated one is a list.
 * @throws a 400 response for text in another encoding than UTF-8, in which browsers send our forms (hardening R47).
 */
export async function readForm(request: Request): Promise<FormValues> {
  const body = Buffer.from(await request.arrayBuffer()).toString("latin1");
  if (!isUtf8(Buffer.from(body.replace(PERCENT_ENCODED, toByte), "latin1"))) {
    throw refuseForm("The text of this form is not in UTF-8. Please send it in UTF-8.");
  }
  return formValues(new URLSearchParams(Buffer.from(body, "latin1").toString()));
}

/** Returns the request, with an empty form if it has no body: such a POST has no type, and `formData` throws (C51). */
export function withForm(request: Request): Request {
  if (request.headers.has("Content-Type")) return request;
  return new Request(request, { body: new URLSearchParams() });
}

const PERCENT_ENCODED = /%([0-9a-f]{2})/gi;
const toByte = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/**
 * Reads a form with a file field, sent as multipart or, by a script without a file, URL-encoded. `file` is empty and without
 * a name where none was sent. @throws a 400 response when the body is not a form, or has too many parts (hardening C25, C37).
 */
export async function readFormWithFile(
  request: Request,
  field: string,
): Promise<{ form: FormValues; file: File }> {
  const noFile = new File([], "");
  if (!request.headers.get("Content-Type")?.startsWith("multipart/")) {
    return { form: await readForm(request), file: noFile };
  }
  const sent = await parseMultipart(request);
  const file = sent.get(field);
  return { form: formValues(sent), file: file instanceof File ? file : noFile };
}

async function parseMultipart(request: Request): Promise<FormData> {
  try {
    return await parseFormData(request, FORM_LIMITS);
  } catch {
    throw refuseForm("This form could not be read. Please go back, reload the page and send it again.");
  }
}

function refuseForm(message: string): Response {
  return new Response(message, { status: 400, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

/** Returns the values by field; a file counts as an empty text. */
function formValues(fields: Iterable<[string, FormDataEntryValue]>): FormValues {
  const byName = Map.groupBy(fields, ([name]) => name);
  const values = Array.from(byName, ([name, entries]) => {
    const [first = "", ...others] = entries.map(([, value]) => (typeof value === "string" ? value : ""));
    return [name, others.length === 0 ? first : [first, ...others]] as const;
  });
  return Object.fromEntries(values);
}
