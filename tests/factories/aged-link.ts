import { openDatabase } from "~/db/open-database.server";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-tokens.server";

/** The same link as if its mail had gone so long ago: only the product's own secret can make it. */
export async function agedLink(
  product: { readonly dataDir: string },
  token: string,
  ms: number,
): Promise<string> {
  const database = await openDatabase({ dataDir: product.dataDir, onError: () => undefined });
  try {
    const tokens = createConfirmationTokens(await formSecret(database.read));
    const getRequest = tokens.requestFrom(token);
    if (!getRequest) throw new Error("This is no link of this product");
    return tokens.tokenFor({ ...getRequest, asked_at: getRequest.asked_at - ms });
  } finally {
    await database.close();
  }
}

async function formSecret(read: Awaited<ReturnType<typeof openDatabase>>["read"]): Promise<string> {
  const row = read.selectFrom("secrets").select("value").where("name", "=", "form");
  return (await row.executeTakeFirstOrThrow()).value;
}
