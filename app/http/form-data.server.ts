import type { FormValues } from "~/lib/parse-form";

/** Reads a form that the guard has limited (C37). A field sent once is a string, a repeated one is a list. */
export async function readForm(request: Request): Promise<FormValues> {
  return collectValues(new URLSearchParams(await request.text()));
}

/**
 * Reads a form with a file field, sent as multipart or, by a script without a file, URL-encoded. `text` is the
 * file as UTF-8, empty without one. @throws a 400 response when the body is not a form (hardening C25).
 */
export async function readFormWithFile(
  request: Request,
  field: string,
): Promise<{ form: FormValues; text: string }> {
  const sent = await parseMultipart(request);
  const file = sent.get(field);
  return { form: collectValues(sent), text: file instanceof File ? await file.text() : "" };
}

async function parseMultipart(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new Response("This form could not be read. Please go back, reload the page and send it again.", {
      status: 400,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
}

/** Collects the values by field; a file counts as an empty text. */
function collectValues(fields: Iterable<[string, FormDataEntryValue]>): FormValues {
  const byName = Map.groupBy(fields, ([name]) => name);
  const values = Array.from(byName, ([name, entries]) => {
    const [first = "", ...others] = entries.map(([, value]) => (typeof value === "string" ? value : ""));
    return [name, others.length === 0 ? first : [first, ...others]] as const;
  });
  return Object.fromEntries(values);
}
