import { hash, verify } from "@node-rs/argon2";
import { randomBytes } from "node:crypto";
import type { PasswordHasher, PasswordVerdict } from "../password-hasher";

/** argon2id with OWASP's settings; `algorithm: 2` is argon2id (a const enum the compiler cannot inline here). */
const SETTINGS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** 8 ms each: two at a time keep both the login quick and a core free; the queue is at most about half a second long. */
const AT_A_TIME = 2;
const MAY_WAIT = 64;

export class Argon2PasswordHasher implements PasswordHasher {
  #running = 0;
  #waiting: (() => void)[] = [];
  readonly #nobody: Promise<string>;

  constructor() {
    this.#nobody = this.hash(randomBytes(16).toString("hex"));
  }

  async hash(password: string): Promise<string> {
    return hash(password.normalize("NFC"), SETTINGS);
  }

  async verify(stored: string | undefined, password: string): Promise<PasswordVerdict> {
    const against = stored ?? (await this.#nobody);
    // Nothing may be awaited between this look and getting in line, or everyone would pass it.
    if (this.#waiting.length >= MAY_WAIT) return "busy";
    await this.#enter();
    try {
      const matches = await verify(against, password.normalize("NFC"));
      if (!matches || stored === undefined) return "mismatch";
      return CURRENT.test(stored) ? "match" : "outdated";
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < AT_A_TIME) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** A place is handed to the next in line, so the number running does not change. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
