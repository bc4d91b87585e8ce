import { generateSync } from "otplib";
import { formPost, SUPERADMIN } from "../server-process";
import type { ServerProcess } from "../server-process";
import { someone } from "./visitors";

/** The second factor as tests of the running product set it up: through its own page. */

const PAGE = "/admin/second-factor";

/** Presses a button of the page. */
export const pressOf = (server: ServerProcess, cookie: string, fields: Record<string, string>) =>
  server.fetch(PAGE, formPost(fields, { Cookie: cookie, ...someone() }));

/** Sets it up for whoever is signed in; resolves with what the pages showed. Uses the code of this moment up. */
export async function turnOnSecondFactor(
  server: ServerProcess,
  cookie: string,
  password = SUPERADMIN.password,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await pressOf(server, cookie, { intent: "begin", password });
  const page = await server.fetch(PAGE, { headers: { Cookie: cookie } });
  const secret = secretIn(await page.text());
  if (!secret) throw new Error(`Setting it up answered ${page.status}`);
  const answer = await pressOf(server, cookie, { intent: "confirm", code: generateSync({ secret }) });
  const recoveryCodes = recoveryCodesIn(await answer.text());
  if (recoveryCodes.length !== 10) throw new Error(`Turning it on answered ${answer.status}`);
  return { secret, recoveryCodes };
}

/** The key a page shows in fours, if it shows one. */
export function secretIn(html: string): string | undefined {
  return /<code[^>]*>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(html)?.[1]?.replaceAll(" ", "");
}

/** The recovery codes a page lists. */
export function recoveryCodesIn(html: string): string[] {
  return [...html.matchAll(/<li[^>]*>((?:[2-9A-Z]{5}-){2}[2-9A-Z]{5})<\/li>/g)].map(([, code = ""]) => code);
}
