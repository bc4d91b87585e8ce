import { z } from "zod";
import { seconds } from "~/lib/durations";
import { toOneLine } from "~/lib/one-line";
import { mebibytes } from "~/lib/sizes";
import { parseReply, UpstreamError } from "~/lib/upstream-error";
import type { AccountSource, ListedAccount } from "../account-source";

/** A script behind a spreadsheet is slow to start. */
const TIMEOUT_MS = seconds(30);
const MAX_BYTES = mebibytes(10);

const textField = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const replySchema = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("success"),
    data: z.array(z.object({ email: z.string(), fullName: textField, role: textField })),
  }),
  z.object({ status: z.literal("error"), message: textField }),
]);

/**
 * Reads the hosted account endpoint (specification, section 7): GET lists all accounts. The request carries no
 * login, and redirects are followed, because spreadsheet-backed endpoints respond with one.
 */
export class EndpointAccountSource implements AccountSource {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async list(): Promise<readonly ListedAccount[]> {
    const { status, body } = await this.#get();
    if (status < 200 || status > 299) throw failure(toOneLine(body.toString()), status);
    const text = decode(body, status);
    const reply = parseReply(text, replySchema, { ...CALL, status, handedOver: true });
    if (reply.status === "error")
      throw failure(toOneLine(reply.message) || "it reports an error without a message", status);
    return reply.data;
  }

  async #get(): Promise<{ status: number; body: Buffer }> {
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(this.#url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) throw new Error(`the reply is longer than ${MAX_BYTES} bytes`);
        chunks.push(chunk);
      }
      return { status: answer.status, body: Buffer.concat(chunks) };
    } catch (cause) {
      throw failure(getCause(cause), undefined, cause);
    }
  }
}

const CALL = { service: "account endpoint", operation: "list accounts" };

/** Decodes the reply; a name in another encoding would be stored wrong (hardening R47). */
function decode(body: Buffer, status: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (cause) {
    throw failure("the reply is not in UTF-8", status, cause);
  }
}

function failure(detail: string, status: number | undefined, cause?: unknown): UpstreamError {
  // Fetch does not say whether it was; for a call that only reads it makes no difference.
  return new UpstreamError({ ...CALL, status, handedOver: true, detail, cause });
}

/** Returns the cause of a failed fetch: the error itself only says "fetch failed". */
function getCause(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return toOneLine(error.cause instanceof Error ? error.cause.message || error.message : error.message);
}
