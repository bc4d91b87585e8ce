import { openDatabase } from "~/db/open-database.server";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-request.server";

/**
 * Makes the same confirmation link as if its email had been sent `ms` earlier. It is signed with the product's
 * own secret.
 */
export async function createAgedLink(
  product: { readonly dataDir: string },
  token: string,
  ms: number,
): Promise<string> {
  const database = await openDatabase({ dataDir: product.dataDir, onError: () => undefined });
  try {
    const tokens = createConfirmationTokens(await getFormSecret(database.read));
    const request = tokens.readToken(token);
    if (!request) throw new Error("This is no link of this product");
    return tokens.createToken({ ...request, requested_at: request.requested_at - ms });
  } finally {
    await database.close();
  }
}

async function getFormSecret(read: Awaited<ReturnType<typeof openDatabase>>["read"]): Promise<string> {
  const row = read.selectFrom("secrets").select("value").where("name", "=", "form");
  return (await row.executeTakeFirstOrThrow()).value;
}
