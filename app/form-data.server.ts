import type { FormValues } from "~/lib/parse-form";

/**
 * Reads a form that was sent. A field that came once is a string, one that came more often is a list; files count as
 * an empty string, because no form of ours asks for one.
 * @throws a 400 answer when the body is not a form (hardening C25).
 */
export async function readForm(request: Request): Promise<FormValues> {
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    throw new Response("This form could not be read. Please go back, reload the page and send it again.", {
      status: 400,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
  const values: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const [first = "", ...others] = form
      .getAll(name)
      .map((value) => (typeof value === "string" ? value : ""));
    values[name] = others.length > 0 ? [first, ...others] : first;
  }
  return values;
}
