import { getConfirmFields } from "../question-fields";
import { waitUntil } from "../wait-until";
import { useServer, useSuperadmin } from "./use-server";
import { readRows, signUp } from "./visitors";

/** The fields of the panel's form, filled in. */
export const PANEL_FIELDS = {
  audience: "early-access",
  testAddress: "",
  title: "We open",
  message: "Come in.",
};

/** The outreach screens as the superadmin uses them without JavaScript; by default on the shared server. */
export function useOutreachScreens(server = useServer()) {
  const superadmin = useSuperadmin(server);
  const { get, read, post } = superadmin;
  /** Presses a button of the panel, with content in its form. */
  const press = (intent: string, fields: Record<string, string> = {}) =>
    post("/admin/dashboard", { ...PANEL_FIELDS, intent, ...fields });
  const reviewCampaign = (draft: string) => getConfirmFields(server, superadmin.headers, draft);

  return {
    server,
    superadmin,
    get,
    read,
    post,
    press,
    reviewCampaign,
    signUp: (email: string, name = email) => signUp(server, { name, email }),
    /** Saves a draft. @returns its id. */
    createDraft: async (fields: Record<string, string> = {}) =>
      getSearch(await press("save", fields)).get("draft") ?? "",
    /** Confirms a draft as its page shows it. */
    confirm: async (draft: string, fields: Record<string, string> = {}) =>
      post(`/admin/dashboard?draft=${draft}&step=confirm`, { ...(await reviewCampaign(draft)), ...fields }),
    getCampaign: (id: string) => readRows(server, "select * from campaigns where id = ?", id)[0],
    waitForState: (id: string, state: "sending" | "finished") =>
      waitUntil(() => readRows(server, "select state from campaigns where id = ?", id)[0]?.state === state),
  };
}

export const getLocation = (answer: Response): string => answer.headers.get("Location") ?? "";

/** Returns the query of the URL an answer redirects to. */
export const getSearch = (answer: Response): URLSearchParams =>
  new URL(getLocation(answer), "http://localhost").searchParams;
