import { openDatabase } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-tokens.server";
import { createConfirmations } from "~/services/confirmations/confirmations.server";
import { newId } from "~/services/ids.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createSignups } from "~/services/signups/signups.server";
import { circumstances } from "./forms";

/**
 * Signs up for updates beside the running product, on its database, as a product with DOUBLE_OPT_IN=on does; the mail is
 * the product's to send.
 */
export async function signUpForUpdates(
  product: { readonly dataDir: string },
  signup: { name: string; email: string },
): Promise<void> {
  const database = await openDatabase({ dataDir: product.dataDir, onError: () => undefined });
  try {
    const clock = Date.now;
    const secret = await formSecret(database.read);
    const stamps = createFormStamps(secret);
    const tokens = createConfirmationTokens(secret);
    const { optIn } = createConfirmations({ database, tokens, clock, newId, wake: () => undefined });
    const signups = createSignups({ database, clock, newId, stamps, optIn });
    const outcome = await signups.recordUpdatesSignup(
      signup,
      circumstances(stamps.make(clock() - minutes(1))),
    );
    if (!outcome.ok || outcome.outcome !== "stored") throw new Error(`It was ${JSON.stringify(outcome)}`);
  } finally {
    await database.close();
  }
}

/** The same link as if its mail had gone so long ago: only the product's own secret can make it. */
export async function agedLink(
  product: { readonly dataDir: string },
  token: string,
  ms: number,
): Promise<string> {
  const database = await openDatabase({ dataDir: product.dataDir, onError: () => undefined });
  try {
    const tokens = createConfirmationTokens(await formSecret(database.read));
    const asking = tokens.askingFrom(token);
    if (!asking) throw new Error("This is no link of this product");
    return tokens.tokenFor({ ...asking, asked_at: asking.asked_at - ms });
  } finally {
    await database.close();
  }
}

async function formSecret(read: Awaited<ReturnType<typeof openDatabase>>["read"]): Promise<string> {
  const row = read.selectFrom("secrets").select("value").where("name", "=", "form");
  return (await row.executeTakeFirstOrThrow()).value;
}
