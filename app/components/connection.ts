import { useSyncExternalStore } from "react";
import { seconds } from "~/lib/durations";

/** Time between two attempts of a data request that got no answer. */
const RETRY_AFTER_MS = seconds(2);

interface ConnectionState {
  /** Time of the last answer, while a data request waits for one; epoch milliseconds. */
  readonly lostSince?: number | undefined;
  /** A sentence about what could not be done just now. */
  readonly message?: string | undefined;
}

/** Whether the server answers, as far as this page knows. */
class Connection {
  #state: ConnectionState = {};
  #lastAnswerAt = Date.now();
  #waiting = 0;
  #shown = { pathname: "", search: "" };
  readonly #listeners = new Set<() => void>();

  readonly getState = (): ConnectionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The address of the page that is shown. On Back and Forward the browser's own is already the next one. */
  get shown(): { readonly pathname: string; readonly search: string } {
    return this.#shown;
  }

  /** Records the page that is shown. */
  show(pathname: string, search: string): void {
    this.#shown = { pathname, search };
  }

  /** Records an answer of the server. */
  answered(): void {
    this.#lastAnswerAt = Date.now();
  }

  /** Records that a request waits for an answer. Returns the function that ends the wait. */
  wait(): () => void {
    this.#waiting += 1;
    if (this.#waiting === 1) this.#set({ ...this.#state, lostSince: this.#lastAnswerAt });
    return () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#set({ ...this.#state, lostSince: undefined });
    };
  }

  /** Shows a sentence, or none. */
  tell(message: string | undefined): void {
    this.#set({ ...this.#state, message });
  }

  /**
   * Returns whether a new page can probably not be fetched now: the browser is offline, or a request is being repeated, also
   * because this server answered a refresh with 500 (decision 70).
   */
  isLost(): boolean {
    return !navigator.onLine || this.#waiting > 0;
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#listeners.forEach((listener) => listener());
  }
}

export const connection = new Connection();

const NOTHING: ConnectionState = {};

export function useConnection(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.getState, () => NOTHING);
}

/**
 * Wraps `fetch` for Remix's data requests (single fetch: the page's address with ".data"); others pass unchanged.
 * Without it, a request without an answer, or with a proxy's, replaces the whole page by the error page. A GET
 * is repeated until the server answers or Remix no longer wants it; a form is sent once, and fails for its
 * clientAction (keep-form.ts) to say so.
 */
export function retryDataRequests(fetch: typeof window.fetch): typeof window.fetch {
  return async (input, init = {}) => {
    const url = getDataUrl(input);
    if (!url) return fetch(input, init);
    const send = () => fetch(input, init);
    const isForm = (init.method ?? "GET") !== "GET";
    return isForm ? sendForm(send) : fetchUntilAnswered(send, url, init.signal);
  };
}

/** @throws RefusedRequestError, or another error when no answer of this server came. */
async function sendForm(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (isFromRemix(response)) {
    connection.answered();
    return response;
  }
  if (isRefusal(response)) throw new RefusedRequestError(await response.text());
  throw new TypeError(`Not an answer of this server: ${response.status}`);
}

/** @throws when Remix no longer wants the answer. */
async function fetchUntilAnswered(
  send: () => Promise<Response>,
  url: URL,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  let endWait: (() => void) | undefined;
  try {
    for (;;) {
      const response = await send().catch((error: unknown) => {
        if (signal?.aborted) throw error;
      });
      if (response && isUsable(response, url)) {
        connection.answered();
        return response;
      }
      endWait ??= connection.wait();
      await waitToRetry(signal);
    }
  } finally {
    endWait?.();
  }
}

/** A form that this server refused before its route saw it. The message is the server's own sentence. */
export class RefusedRequestError extends Error {}

function getDataUrl(input: RequestInfo | URL): URL | undefined {
  if (input instanceof Request) return undefined;
  const url = new URL(input, window.location.href);
  return url.origin === window.location.origin && url.pathname.endsWith(".data") ? url : undefined;
}

/** Every answer to a data request has this type; a proxy's, a captive portal's and the guard's pages have others. */
function isFromRemix(response: Response): boolean {
  return response.headers.get("Content-Type")?.startsWith("text/x-script") ?? false;
}

/** The guard refuses in plain text: too much, from another site. A proxy's pages have no request id of ours. */
function isRefusal({ status, headers }: Response): boolean {
  const isText = headers.get("Content-Type")?.startsWith("text/plain") ?? false;
  return status >= 400 && status < 500 && isText && headers.has("X-Request-Id");
}

/**
 * Returns whether Remix can show the response. A refusal by the guard or a proxy (4xx) is shown as an error, but for 429,
 * which is repeated; an unexpected failure (500) is not shown while the same page is refreshed.
 */
function isUsable(response: Response, url: URL): boolean {
  if (isFromRemix(response)) return response.status !== 500 || !isOfShownPage(url);
  return response.status >= 400 && response.status < 500 && response.status !== 429;
}

/** Remix requests the data of /page from /page.data, of / from /_root.data, and may name routes in `_routes`. */
function isOfShownPage({ pathname, searchParams }: URL): boolean {
  const { pathname: shown, search } = connection.shown;
  const dataPath = `${shown.replace(/\/$/, "") || "/_root"}.data`;
  const requested = new URLSearchParams(searchParams);
  requested.delete("_routes");
  return pathname === dataPath && String(requested) === String(new URLSearchParams(search));
}

/** Resolves after a while, or when the browser is online again. @throws the reason when the request is given up. */
function waitToRetry(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => () => {
      clearTimeout(timer);
      window.removeEventListener("online", retry);
      signal?.removeEventListener("abort", giveUp);
      settle();
    };
    const retry = finish(resolve);
    const giveUp = finish(() => reject(signal?.reason as Error));
    const timer = setTimeout(retry, RETRY_AFTER_MS);
    window.addEventListener("online", retry);
    signal?.addEventListener("abort", giveUp);
  });
}
