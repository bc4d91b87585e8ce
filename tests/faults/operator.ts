import { getConfirmFields } from "../question-fields";
import { unescapeHtml } from "../server/form-html";
import { formPost, type ServerProcess } from "../server-process";

/** Acts as an operator of Email Outreach through the forms of the pages, and reads the pages. */

const HEADERS = { "Sec-Fetch-Site": "same-origin" };

export const EMAIL_CONTENT = {
  title: "We open on Monday, {{name}}",
  message: "Hello {{name}},\n\nthe beta opens on Monday: https://frontdesk.test/beta\n\nThe team",
};

/**
 * Writes an email to everybody on the early access list, presses "Send Email" and confirms.
 * @returns the campaign's id.
 */
export async function sendToEverybody(server: ServerProcess, cookie: string): Promise<string> {
  return (await prepareCampaign(server, cookie))();
}

/**
 * Prepares a campaign up to the last click.
 * @param fields of the form, such as another text, or what narrows the group.
 * @returns that click; it resolves with the campaign's id.
 */
export async function prepareCampaign(
  server: ServerProcess,
  cookie: string,
  fields: Readonly<Record<string, string>> = EMAIL_CONTENT,
): Promise<() => Promise<string>> {
  const draft = { draft: "", audience: "early-access", testAddress: "", ...fields, intent: "send" };
  const confirmation = await getRedirect(server, cookie, "/admin/dashboard", draft);
  const id = confirmation.searchParams.get("draft") ?? "";
  const question = await getConfirmFields(server, { Cookie: cookie, ...HEADERS }, id);
  return async () => {
    const sending = await getRedirect(server, cookie, "/admin/dashboard", question);
    const id = sending.searchParams.get("send");
    if (!id) throw new Error(`The confirmation redirected to ${sending.href}`);
    return id;
  };
}

/** Sends a notification to every device; `devices` is their number. @returns the broadcast's id. */
export async function notifyAll(server: ServerProcess, cookie: string, devices: number): Promise<string> {
  return (await prepareBroadcast(server, cookie, devices))();
}

/** Prepares a notification up to the last click. @returns that click; it resolves with the broadcast's id. */
export async function prepareBroadcast(
  server: ServerProcess,
  cookie: string,
  devices: number,
  content = { title: "We open", body: "Come in." },
): Promise<() => Promise<string>> {
  const path = "/admin/notifications";
  const [, id] =
    /<input type="hidden" name="id" value="([^"]*)"/.exec(await pageHtml(server, cookie, path)) ?? [];
  if (id === undefined) throw new Error("The form has no id");
  const written = { id, audience: "all", tenant: "", ...content, link: "" };
  const { pathname, search } = await getRedirect(server, cookie, path, { ...written, intent: "send" });
  const question = await pageHtml(server, cookie, pathname + search);
  const [, shown] = /<input type="hidden" name="content" value="([^"]*)"/.exec(question) ?? [];
  if (shown === undefined) throw new Error("The question has no hash of its content");
  const confirmation = { id, intent: "confirm", content: shown, devices: String(devices) };
  return async () => {
    await getRedirect(server, cookie, path, confirmation);
    return id;
  };
}

/** Presses a button of the campaign's page. */
export async function press(
  server: ServerProcess,
  cookie: string,
  campaignId: string,
  intent: string,
  more: Record<string, string> = {},
): Promise<void> {
  await getRedirect(server, cookie, campaignPage(campaignId), { intent, ...more });
}

/** Returns the text of a page in order, without tags. */
export async function pageText(server: ServerProcess, cookie: string, path: string): Promise<string> {
  const html = await pageHtml(server, cookie, path);
  const text = html
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]*>/g, " ");
  return unescapeHtml(text).replace(/\s+/g, " ");
}

export const progressPage = (campaignId: string) => `/admin/dashboard?send=${campaignId}`;
export const campaignPage = (campaignId: string) => `/admin/outreach/${campaignId}`;

/** Reads the totals on the campaign's page. */
export async function readStatsOnPage(server: ServerProcess, cookie: string, campaignId: string) {
  const text = await pageText(server, cookie, campaignPage(campaignId));
  const figures =
    /Selected ([\d,]+) Sent ([\d,]+) Failed ([\d,]+) Skipped ([\d,]+).*? Uncertain ([\d,]+) Pending ([\d,]+)/.exec(
      text,
    );
  if (!figures) throw new Error(`No totals on the page: ${text}`);
  const [selected = NaN, sent = NaN, failed = NaN, skipped = NaN, uncertain = NaN, waiting = NaN] = figures
    .slice(1)
    .map((figure) => Number(figure.replaceAll(",", "")));
  return { selected, sent, failed, skipped, uncertain, waiting };
}

async function pageHtml(server: ServerProcess, cookie: string, path: string): Promise<string> {
  const response = await server.fetch(path, { headers: { Cookie: cookie, ...HEADERS } });
  const html = await response.text();
  if (response.status !== 200) throw new Error(`${path} responded ${response.status}: ${html.slice(0, 500)}`);
  return html;
}

async function getRedirect(
  server: ServerProcess,
  cookie: string,
  path: string,
  fields: Record<string, string>,
): Promise<URL> {
  const response = await server.fetch(path, formPost(fields, { Cookie: cookie }));
  const location = response.headers.get("Location");
  await response.arrayBuffer();
  if (response.status !== 303 || !location)
    throw new Error(`${fields.intent} on ${path} responded ${response.status}`);
  return new URL(location, server.origin);
}
