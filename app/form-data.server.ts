import type { FormValues } from "~/lib/parse-form";

/**
 * Reads a form that was sent. A field that came once is a string, one that came more often is a list; files count as
 * an empty string.
 * @throws a 400 answer when the body is not a form (hardening C25).
 */
export async function readForm(request: Request): Promise<FormValues> {
  return valuesOf(await formDataOf(request));
}

/**
 * The same of a form with a file field. All of it is held in memory: the guard has a limit for each such address.
 * @param field the file's; `text` is its content, read as UTF-8, and empty when none was chosen.
 */
export async function readFormWithFile(
  request: Request,
  field: string,
): Promise<{ form: FormValues; text: string }> {
  const sent = await formDataOf(request);
  const file = sent.get(field);
  return { form: valuesOf(sent), text: file instanceof File ? await file.text() : "" };
}

async function formDataOf(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new Response("This form could not be read. Please go back, reload the page and send it again.", {
      status: 400,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
}

function valuesOf(form: FormData): FormValues {
  const values: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const [first = "", ...others] = form
      .getAll(name)
      .map((value) => (typeof value === "string" ? value : ""));
    values[name] = others.length > 0 ? [first, ...others] : first;
  }
  return values;
}
