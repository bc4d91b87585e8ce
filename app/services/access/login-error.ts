import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";

/**
 * Why a login failed. "over": the login has to begin again, because its time has passed or the password or the second
 * factor has changed. "unavailable": the database is away. "failed": an internal error, in `cause`.
 */
export type LoginErrorCode =
  "invalid" | "missing-code" | "wrong-code" | "over" | "throttled" | "busy" | "unavailable" | "failed";

interface LoginErrorOptions extends ErrorOptions {
  /** The address as typed, to be shown again. */
  readonly email?: string | undefined;
  /** Seconds to wait before retrying. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The one error that the strategies of remix-auth throw; the login's actions turn it into a sentence and a status. */
export class LoginError extends Error {
  override readonly name = "LoginError";
  readonly code: LoginErrorCode;
  readonly email: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: LoginErrorCode, { email = "", retryAfterSeconds, cause }: LoginErrorOptions = {}) {
    super(`The login failed: ${code}`, { cause });
    this.code = code;
    this.email = email;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the error of a login that an unexpected failure stopped; a `LoginError` stays what it is. */
export function toLoginError(cause: unknown, email = ""): LoginError {
  if (cause instanceof LoginError) return cause;
  return isDatabaseUnavailable(cause)
    ? new LoginError("unavailable", { email, cause, retryAfterSeconds: BUSY_RETRY_SECONDS })
    : new LoginError("failed", { email, cause });
}
