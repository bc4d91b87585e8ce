import type { ServerProcess } from "./server-process";

const NAMES = ["draft", "content", "through", "counted"];

/** Returns the fields that the confirm form of a draft's page submits. */
export async function getConfirmFields(
  server: ServerProcess,
  headers: Record<string, string>,
  draft: string,
): Promise<Record<string, string>> {
  const answer = await server.fetch(`/admin/dashboard?draft=${draft}&step=confirm`, { headers });
  const html = await answer.text();
  const question = html.slice(html.lastIndexOf("<form", html.lastIndexOf('value="confirm"')));
  const inputs = [...question.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, value]));
  const missing = NAMES.filter((name) => fields[name] === undefined);
  if (missing.length > 0) throw new Error(`The question (${answer.status}) has no ${missing.join(", ")}`);
  return { ...fields, intent: "confirm" };
}
