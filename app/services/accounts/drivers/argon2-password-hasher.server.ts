import { hash, verify } from "@node-rs/argon2";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { FairQueue } from "~/lib/fair-queue";
import { getNetwork, getSite } from "~/lib/network-address";
import type { PasswordHasher, PasswordVerdict } from "../password-hasher";

/** argon2id with OWASP's settings; `algorithm: 2` is argon2id (a const enum the compiler cannot inline here). */
const SETTINGS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** A hash takes 8 ms. One core stays free, and two checks at a time are more logins than an attack deserves. */
const MAX_CONCURRENT_CHECKS = availableParallelism() > 2 ? 2 : 1;
const MAY_WAIT = 64;

export class Argon2PasswordHasher implements PasswordHasher {
  readonly #queue = new FairQueue({ atATime: MAX_CONCURRENT_CHECKS, mayWait: MAY_WAIT });
  readonly #nobody: Promise<string>;

  constructor() {
    this.#nobody = this.hash(randomBytes(16).toString("hex"));
  }

  async hash(password: string): Promise<string> {
    return hash(password.normalize("NFC"), SETTINGS);
  }

  async verify(stored: string | undefined, password: string, address: string): Promise<PasswordVerdict> {
    const leave = await this.#queue.enter(getNetwork(address), getSite(address));
    if (!leave) return "busy";
    try {
      const matches = await verify(stored ?? (await this.#nobody), password.normalize("NFC"));
      if (!matches || stored === undefined) return "mismatch";
      return CURRENT.test(stored) ? "match" : "outdated";
    } finally {
      leave();
    }
  }
}
