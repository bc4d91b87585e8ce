import { formPost, type ServerProcess } from "../server-process";

/** Creates an API token on its screen; resolves with it in clear. */
export async function makeToken(
  server: ServerProcess,
  cookie: string,
  { scopes, life = "90-days" }: { scopes: readonly string[]; life?: string },
): Promise<string> {
  const fields = new URLSearchParams({ intent: "create", name: `Token ${Math.random()}`, life });
  for (const scope of scopes) fields.append("scopes", scope);
  const answer = await server.fetch("/admin/tokens", formPost(fields, { Cookie: cookie }));
  const [made] = /fd_[A-Za-z0-9_-]{43}/.exec(await answer.text()) ?? [];
  if (answer.status !== 200 || !made) throw new Error(`Making a token answered ${answer.status}`);
  return made;
}

/** The header that carries it. */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
