import type { Write } from "~/db/database.server";
import { hours } from "~/lib/durations";
import {
  checkOwnPassword,
  lockCheckedAccount,
  refundPasswordAttempt,
} from "~/services/accounts/passwords.server";
import type { OwnPasswordCheck } from "~/services/accounts/passwords.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { createAudit } from "~/services/audit/audit.server";
import type { AuditAction } from "~/services/audit/actions";
import type { RequestOrigin, Provenance } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import {
  countRecoveryCodes,
  issueRecoveryCodes,
  normalizeCode,
  removeSecondFactor,
  spendCode,
} from "./codes.server";
import type { CodeCheck } from "./codes.server";
import { createQrCode } from "./qr-code.server";
import type { SecretBox } from "./secret-box.server";
import { newTotpSecret, findTimeStep, totpUri } from "./totp.server";

/** Time for which an unconfirmed secret stays valid while its owner adds it to the app. */
const ENROLMENT_MS = hours(1);

type SecondFactorState =
  | { kind: "off" }
  /** The secret is shown until a first code proves that the app has it, and never again. */
  | { kind: "enrolling"; secret: string; qrCode: ReturnType<typeof createQrCode> }
  | { kind: "on"; since: number; recoveryCodesLeft: number };

/** Recovery codes in clear: shown once, never stored. */
export type Codes = { ok: true; recoveryCodes: string[] };
type Confirming =
  | Codes
  | { ok: false; error: "wrong-code" }
  | { ok: false; error: "not-begun" }
  | { ok: false; error: "already-on" };
type Beginning = { ok: true } | Extract<OwnPasswordCheck, { ok: false }>;
type Renewing = Codes | Extract<CodeCheck, { ok: false }>;
export type TurningOff =
  { ok: true } | { ok: false; error: "required" } | Extract<OwnPasswordCheck | CodeCheck, { ok: false }>;

interface SecondFactorDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  readonly box: SecretBox;
  /** Name of the product in the app. */
  readonly issuer: string;
  /** REQUIRE_2FA: nobody can turn it off. */
  readonly isRequired: boolean;
}

/** Manages a person's own second factor: codes of an app (TOTP, RFC 6238), and recovery codes for its loss. */
export function createSecondFactor(deps: SecondFactorDeps) {
  const { database, box, clock, issuer, isRequired } = deps;

  return {
    isRequired,

    async getState(operator: SignedIn): Promise<SecondFactorState> {
      const row = await database.read
        .selectFrom("second_factors")
        .selectAll()
        .where("account_id", "=", operator.accountId)
        .executeTakeFirst();
      if (!row) return { kind: "off" };
      if (row.confirmed_at !== null) {
        const recoveryCodesLeft = await countRecoveryCodes(database.read, operator.accountId);
        return { kind: "on", since: row.confirmed_at, recoveryCodesLeft };
      }
      if (row.begun_at <= clock() - ENROLMENT_MS) return { kind: "off" };
      const secret = openSecret(row.sealed_secret, operator);
      if (secret === undefined) return { kind: "off" };
      const qrCode = createQrCode(totpUri({ issuer, label: operator.email, secret }));
      return { kind: "enrolling", secret, qrCode };
    },

    /**
     * Creates a secret, without effect until it is confirmed. An active second factor is left unchanged. Requires the
     * password: access to an open session must not suffice to bind the account to a phone (hardening C41).
     */
    async begin(operator: SignedIn, password: string, origin: RequestOrigin): Promise<Beginning> {
      const checked = await checkOwnPassword(deps, operator, "turn-on-second-factor", password, origin);
      if (!checked.ok) return checked;
      const fresh = {
        sealed_secret: box.seal(newTotpSecret(), operator.accountId),
        begun_at: clock(),
        confirmed_at: null,
        last_step: 0,
      };
      return database.write(async (trx): Promise<Beginning> => {
        const account = await lockCheckedAccount(trx, operator, checked.passwordHash);
        if (!account) return { ok: false, error: "signed-out" };
        await refundPasswordAttempt(trx, operator.email, origin.address);
        await trx
          .insertInto("second_factors")
          .values({ account_id: operator.accountId, ...fresh })
          .onConflict((conflict) =>
            conflict.column("account_id").doUpdateSet(fresh).where("second_factors.confirmed_at", "is", null),
          )
          .execute();
        return { ok: true };
      });
    },

    /** Cancels an enrolment. */
    async abandon(operator: SignedIn): Promise<void> {
      await database.write((trx) =>
        trx
          .deleteFrom("second_factors")
          .where("account_id", "=", operator.accountId)
          .where("confirmed_at", "is", null)
          .execute(),
      );
    },

    /** Turns the second factor on with a first code. Attempts are not counted: the page shows the secret. */
    async confirm(operator: SignedIn, code: string, origin: Provenance): Promise<Confirming> {
      const now = clock();
      return database.write(async (trx): Promise<Confirming> => {
        const enrolment = await trx
          .selectFrom("second_factors")
          .select(["sealed_secret", "begun_at", "confirmed_at"])
          .where("account_id", "=", operator.accountId)
          .forUpdate()
          .executeTakeFirst();
        if (!enrolment) return { ok: false, error: "not-begun" };
        if (enrolment.confirmed_at !== null) return { ok: false, error: "already-on" };
        if (enrolment.begun_at <= now - ENROLMENT_MS) return { ok: false, error: "not-begun" };
        const secret = openSecret(enrolment.sealed_secret, operator);
        if (secret === undefined) return { ok: false, error: "not-begun" };
        const step = findTimeStep(secret, normalizeCode(code), now);
        if (step === undefined) return { ok: false, error: "wrong-code" };
        await trx
          .updateTable("second_factors")
          .set({ confirmed_at: now, last_step: step })
          .where("account_id", "=", operator.accountId)
          .execute();
        await audit(trx, operator, "turn-on-second-factor", origin);
        return { ok: true, recoveryCodes: await issueRecoveryCodes(trx, operator.accountId) };
      });
    },

    /** Replaces all recovery codes. Requires a code, because an open session alone is no proof. */
    async renewRecoveryCodes(operator: SignedIn, code: string, origin: RequestOrigin): Promise<Renewing> {
      return database.write(async (trx): Promise<Renewing> => {
        const spent = await spendOwnCode(trx, operator, code, origin);
        if (!spent.ok) return spent;
        await audit(trx, operator, "renew-recovery-codes", origin);
        return { ok: true, recoveryCodes: await issueRecoveryCodes(trx, operator.accountId) };
      });
    },

    /** Turns the second factor off. Requires the password and a code; a wrong password uses up no code. */
    async turnOff(
      operator: SignedIn,
      { password, code }: { password: string; code: string },
      origin: RequestOrigin,
    ): Promise<TurningOff> {
      if (isRequired) return { ok: false, error: "required" };
      const checked = await checkOwnPassword(deps, operator, "turn-off-second-factor", password, origin);
      if (!checked.ok) return checked;
      return database.write(async (trx): Promise<TurningOff> => {
        const account = await lockCheckedAccount(trx, operator, checked.passwordHash);
        if (!account) return { ok: false, error: "signed-out" };
        await refundPasswordAttempt(trx, operator.email, origin.address);
        const spent = await spendOwnCode(trx, operator, code, origin);
        if (!spent.ok) return spent;
        await removeSecondFactor(trx, operator.accountId);
        await audit(trx, operator, "turn-off-second-factor", origin);
        return { ok: true };
      });
    },
  };

  /** Opens the secret of an enrolment; undefined when SESSION_SECRET has changed since it began. */
  function openSecret(sealed: string, { accountId }: SignedIn): string | undefined {
    try {
      return box.open(sealed, accountId);
    } catch {
      return undefined;
    }
  }

  function spendOwnCode(trx: Write, operator: SignedIn, code: string, origin: RequestOrigin) {
    const account = { id: operator.accountId, email: operator.email };
    return spendCode(trx, deps, { account, actor: operator.email, code }, origin);
  }

  function audit(trx: Write, operator: SignedIn, action: AuditAction, origin: Provenance) {
    return createAudit(deps)(trx, { ...origin, by: operator.email }, { action, subject: operator.email });
  }
}
