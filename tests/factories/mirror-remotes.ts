import { SHEETS, startWorkspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";
import { startWebEndpoints } from "../fakes/web-endpoints";
import { getSheetsEnvironment, SPREADSHEETS } from "./google-workspace";

/** A remote that a product in its own process mirrors early access signups to. */
export interface MirrorRemote {
  /** Environment variables that the product is started with. */
  readonly environment: Record<string, string>;
  setDown(isDown: boolean): void;
  /** Returns the rows below the header. */
  rows(): readonly (readonly string[])[];
  close(): Promise<void>;
}

export const MIRROR_REMOTES: Record<"web-endpoint" | "google-sheets", () => Promise<MirrorRemote>> = {
  "web-endpoint": async () => {
    const endpoints = await startWebEndpoints();
    const { urls, setDown, close } = endpoints;
    return {
      environment: {
        MIRROR_EARLY_ACCESS_URL: urls["early-access"],
        MIRROR_CONTACT_URL: urls["contact-form"],
        MIRROR_UPDATES_URL: urls["updates-signup"],
      },
      setDown,
      close,
      rows: () => endpoints.rows("early-access"),
    };
  },
  "google-sheets": async () => {
    const google = await startWorkspace();
    const tab = new Tab();
    for (const { id } of Object.values(SPREADSHEETS)) google.spreadsheet(id, [new Tab()]);
    google.spreadsheet(SPREADSHEETS["early-access"].id, [tab]);
    return {
      environment: getSheetsEnvironment(google),
      setDown: (isDown) => google.setResponse(SHEETS, isDown ? { status: 503 } : undefined),
      rows: () => tab.allRows.slice(1),
      close: google.close,
    };
  },
};
