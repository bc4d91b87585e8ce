import type { Environment } from "~/env.server";
import type { AccountSource } from "~/services/accounts/account-source";
import { EndpointAccountSource } from "~/services/accounts/drivers/endpoint-account-source.server";
import { SheetAccountSource } from "~/services/accounts/drivers/sheet-account-source.server";
import type { Clock } from "~/services/clock";
import { sheetReader } from "./google.server";

/**
 * Where accounts are listed that can be imported; undefined when nowhere.
 * @throws EnvironmentError when nobody of Google's may read the sheet.
 */
export async function accountSourceFor(
  environment: Environment,
  clock: Clock,
): Promise<AccountSource | undefined> {
  const { ACCOUNT_ENDPOINT_URL: url, ACCOUNT_SHEET_ID: id } = environment;
  if (url !== undefined) return new EndpointAccountSource({ url });
  if (id === undefined) return undefined;
  return new SheetAccountSource(await sheetReader(environment, { id, variable: "ACCOUNT_SHEET_ID" }, clock));
}
