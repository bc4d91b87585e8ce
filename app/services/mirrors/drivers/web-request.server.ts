import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { publicLookup } from "~/lib/public-lookup";

/** What was answered, or how far the request came without an answer. */
export type WebAnswer =
  | {
      readonly status: number;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
      readonly body: string;
    }
  | { readonly handedOver: boolean; readonly detail: string };

/** A reading of a sheet of a million rows is some 100 MB; more is not taken. */
const LARGEST_BODY = 256 * 1024 * 1024;

/**
 * Asks one web service at a time and follows nothing by itself. https leads to public addresses only; http is for this
 * machine itself, as the settings allow it.
 */
export class WebRequests {
  readonly #secure = new HttpsAgent({ keepAlive: true, lookup: publicLookup });
  readonly #plain = new HttpAgent({ keepAlive: true });

  ask(url: URL, { body, signal }: { body?: string; signal: AbortSignal }): Promise<WebAnswer> {
    return new Promise((settle) => {
      let handedOver = false;
      const lost = (error: Error) =>
        settle({ handedOver, detail: signal.aborted ? "It took too long" : error.message });
      const headers = { Accept: "application/json", ...(body !== undefined && bodyHeaders(body)) };
      const method = body === undefined ? "GET" : "POST";
      const isSecure = url.protocol === "https:";
      const agent = isSecure ? this.#secure : this.#plain;
      const asking = (isSecure ? httpsRequest : httpRequest)(
        url,
        { method, headers, agent, signal },
        (answer) => {
          const parts: Buffer[] = [];
          let size = 0;
          answer.on("data", (part: Buffer) => {
            size += part.length;
            if (size > LARGEST_BODY) answer.destroy(new Error("The answer is too large"));
            else parts.push(part);
          });
          const { statusCode: status = 0, headers: told } = answer;
          const { location, "retry-after": retryAfter } = told;
          answer.once("end", () =>
            settle({ status, location, retryAfter, body: Buffer.concat(parts).toString() }),
          );
          answer.once("error", lost);
        },
      );
      asking.once("error", lost);
      asking.once("finish", () => (handedOver = true));
      asking.end(body);
    });
  }

  close(): void {
    this.#secure.destroy();
    this.#plain.destroy();
  }
}

const bodyHeaders = (body: string) => ({
  "Content-Type": "application/json",
  "Content-Length": String(Buffer.byteLength(body)),
});
