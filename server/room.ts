/**
 * How many requests may be inside the application at once (R15). Beyond it more would make all of them slow and none
 * faster, so the rest is sent away at once, those first who lose the least: whoever only looks, then whoever gives us
 * something, last whoever works here.
 */
export const ROOM = { page: 100, form: 150, operator: 200 } as const;
export type Standing = keyof typeof ROOM;

/** A loop that lasts this late has too much inside already, whatever their number. */
const LATE_MS = 200;
const SHARE_WHEN_LATE = 0.1;

export class Room {
  readonly #delayMs: () => number;
  #inside = 0;

  /** @param delayMs how late the event loop is, lastingly. */
  constructor(delayMs: () => number) {
    this.#delayMs = delayMs;
  }

  /** How many requests are inside. */
  get inside(): number {
    return this.#inside;
  }

  /** @returns what to call once, or again, when it is answered or the visitor leaves; undefined: no room. */
  enter(standing: Standing): (() => void) | undefined {
    const share = this.#delayMs() > LATE_MS ? SHARE_WHEN_LATE : 1;
    if (this.#inside >= ROOM[standing] * share) return undefined;
    this.#inside += 1;
    let isInside = true;
    return () => {
      if (isInside) this.#inside -= 1;
      isInside = false;
    };
  }
}

/** These cost the application next to nothing: express.static answers before it, and what is not there is a redirect. */
const FILE = /^\/static\/|^\/[^/]+\.(?!data$)[a-z0-9]+$/;
const BACK_OFFICE = /^\/(?:admin|login|logout)(?:[./]|$)/;

/**
 * @param path RequestTarget.path.
 * @param hasSession whether a session cookie came along; whether it is good only the application knows.
 * @returns undefined for what is never sent away.
 */
export function standingOf(method: string, path: string, hasSession: boolean): Standing | undefined {
  if (FILE.test(path)) return undefined;
  if (hasSession || BACK_OFFICE.test(path)) return "operator";
  return method === "POST" ? "form" : "page";
}
