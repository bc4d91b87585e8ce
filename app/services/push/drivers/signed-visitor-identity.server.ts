import { hours } from "~/lib/durations";
import { createSignedTokens, type SignedTokens } from "~/services/secrets/signed-tokens.server";
import type { Clock, NewId } from "~/services/service-deps";
import type { VisitorIdentity } from "../visitor-identity";

/** Lifetime of an ID token. */
const ID_TOKEN_MS = hours(1);

/** Issues signed ids to visitors without any account. Nothing is stored. */
export class SignedVisitorIdentity implements VisitorIdentity {
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #idTokens: SignedTokens;
  readonly #refreshTokens: SignedTokens;

  constructor({
    secret,
    previousSecret,
    clock,
    newId,
  }: {
    secret: string;
    previousSecret?: string;
    clock: Clock;
    newId: NewId;
  }) {
    this.#clock = clock;
    this.#newId = newId;
    this.#idTokens = createSignedTokens(secret, "visitor-id", previousSecret);
    this.#refreshTokens = createSignedTokens(secret, "visitor-refresh", previousSecret);
  }

  /**
   * Signs a visitor in.
   * @param refreshToken from the last sign-in; without a valid one a new visitor is created.
   */
  signIn(refreshToken: string | undefined) {
    const uid = (refreshToken && this.#refreshTokens.readSubject(refreshToken)) || this.#newId();
    const expiresAt = this.#clock() + ID_TOKEN_MS;
    return {
      uid,
      expiresAt,
      /** Bearer token of this visitor, valid until `expiresAt` (epoch milliseconds). */
      idToken: this.#idTokens.createToken(`${uid}_${expiresAt}`),
      /** Identifies the same visitor at the next sign-in; it does not expire, and is accepted for signing in only. */
      refreshToken: this.#refreshTokens.createToken(uid),
    };
  }

  async verify(idToken: string): Promise<string | undefined> {
    const [uid, expiresAt] = this.#idTokens.readSubject(idToken)?.split("_") ?? [];
    return Number(expiresAt) > this.#clock() ? uid : undefined;
  }
}
