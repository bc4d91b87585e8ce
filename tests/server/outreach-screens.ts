import { vi } from "vitest";
import { getConfirmFields } from "../question-fields";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { readRows, signUp, someone, stampOfAPerson } from "./visitors";

const CONTENT = { audience: "early-access", testAddress: "", title: "We open", message: "Come in." };

/** Opens the outreach screens as the superadmin uses them without JavaScript; by default on the shared server. */
export async function openOutreachScreens(ownServer?: ServerProcess) {
  const server = ownServer ?? (await sharedServer());
  const cookie = await logIn(server, undefined, someone());
  const stamp = await stampOfAPerson(server);

  const get = (path: string) => server.fetch(path, { headers: { Cookie: cookie } });
  const post = (path: string, fields: Record<string, string> = {}) =>
    server.fetch(path, formPost(fields, { Cookie: cookie, ...someone() }));
  /** Presses a button of the panel, with content in its form. */
  const press = (intent: string, fields: Record<string, string> = {}) =>
    post("/admin/dashboard", { ...CONTENT, intent, ...fields });
  const reviewCampaign = (draft: string) => getConfirmFields(server, { Cookie: cookie }, draft);

  return {
    server,
    cookie,
    stamp,
    get,
    /** Gets a page's text without React's comments. */
    getPage: async (path: string) => (await (await get(path)).text()).replace(/<!--.*?-->/g, ""),
    post,
    press,
    reviewCampaign,
    signUp: (email: string, name = email) => signUp(server, { stamp, name, email }, someone()),
    /** Saves a draft. @returns its id. */
    createDraft: async (fields: Record<string, string> = {}) =>
      getSearch(await press("save", fields)).get("draft") ?? "",
    /** Confirms a draft as its page shows it. */
    confirm: async (draft: string, fields: Record<string, string> = {}) =>
      post(`/admin/dashboard?draft=${draft}&step=confirm`, { ...(await reviewCampaign(draft)), ...fields }),
    getCampaign: (id: string) => readRows(server, "select * from campaigns where id = ?", id)[0],
    waitForState: (id: string, state: "sending" | "finished") =>
      vi.waitUntil(
        () => readRows(server, "select state from campaigns where id = ?", id)[0]?.state === state,
        {
          timeout: 20_000,
        },
      ),
  };
}

export type OutreachScreens = Awaited<ReturnType<typeof openOutreachScreens>>;

export const getLocation = (answer: Response): string => answer.headers.get("Location") ?? "";

/** Returns the query of the URL an answer redirects to. */
export const getSearch = (answer: Response): URLSearchParams =>
  new URL(getLocation(answer), "http://localhost").searchParams;
