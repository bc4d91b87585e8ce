import { EnvironmentError } from "~/env.server";
import type { Environment } from "~/env.server";
import type { GoogleAccount } from "~/services/google/drivers/google-account.server";
import { chooseGoogleCredential } from "~/services/google/google-credential.server";
import type { GoogleUse } from "~/services/google/google-credential.server";

/**
 * Who we are to Google, for one use. Google's packages are loaded only where they are chosen.
 * @throws EnvironmentError in words that say what to do.
 */
export async function openGoogleAccount(
  environment: Environment,
  use: GoogleUse | "read",
): Promise<GoogleAccount> {
  const chosen = chooseGoogleCredential(
    {
      folder: environment.DATA_DIR,
      credentials: environment.GOOGLE_APPLICATION_CREDENTIALS,
      gmailUser: environment.GMAIL_USER,
      apiKey: environment.GOOGLE_API_KEY,
    },
    use,
  );
  if (!chosen.ok) throw new EnvironmentError(`The environment is not usable:\n  ${chosen.problem}`);
  const [driver, { openGoogleTransport }] = await Promise.all([
    import("~/services/google/drivers/google-account.server"),
    import("~/services/google/drivers/google-transport.server"),
  ]);
  const { GOOGLE_PROXY: proxy, MAIL_CONCURRENCY: connections } = environment;
  const transport = openGoogleTransport({ proxy, connections });
  return driver.openGoogleAccount(chosen.credential, use === "read" ? "sheets" : use, transport);
}
