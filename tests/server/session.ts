import { formPost, type ServerProcess } from "../server-process";
import { someone } from "./visitors";

/** Requests of somebody who is signed in to the back office. */
export interface Session {
  readonly cookie: string;
  readonly headers: { readonly Cookie: string };
  get(path: string): Promise<Response>;
  /**
   * Returns a page's HTML without React's comments. Throws unless its status is 200, and where a page with a dialog is not inert
   * behind it: without JavaScript a key would reach its buttons.
   */
  read(path: string): Promise<string>;
  /** Submits a form, each time from another network. */
  post(
    path: string,
    fields?: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

export function createSession(server: ServerProcess, findCookie: () => string): Session {
  const get = (path: string) => server.fetch(path, { headers: { Cookie: findCookie() } });
  return {
    get cookie() {
      return findCookie();
    },
    get headers() {
      return { Cookie: findCookie() };
    },
    get,
    read: async (path) => {
      const html = (await readText(get(path))).replace(/<!--.*?-->/g, "");
      const [behind = "", ...dialogs] = html.split("<dialog");
      if (dialogs.length > 0 && !behind.includes('<div inert=""'))
        throw new Error(`${path} is not inert behind its dialog`);
      return html;
    },
    post: (path, fields = {}, headers = {}) =>
      server.fetch(path, formPost(fields, { Cookie: findCookie(), ...someone(), ...headers })),
  };
}

/** Returns the text of a response; throws unless it has this status. */
export async function readText(answer: Response | Promise<Response>, status = 200): Promise<string> {
  const response = await answer;
  if (response.status !== status)
    throw new Error(`${response.url} answered ${response.status}, not ${status}`);
  return response.text();
}
