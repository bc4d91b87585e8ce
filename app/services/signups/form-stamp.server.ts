import { hours, seconds } from "~/lib/durations";
import { createSignedTokens } from "~/services/secrets/signed-tokens.server";
import { CLOCK_TOLERANCE_MS } from "~/services/service-deps";

const STAMP_MIN_AGE_MS = seconds(2);
const STAMP_MAX_AGE_MS = hours(24);

type StampVerdict = "ok" | "too-fast" | "expired" | "forged-form";

/**
 * Creates signed stamps of the time a form was rendered. A stamp names nobody and belongs to the rendering, so a page
 * that holds one may be cached for everyone (docs/decisions/0006).
 */
export function createFormStamps(secret: string, previous?: string) {
  const tokens = createSignedTokens(secret, "form", previous);
  const create = (now: number): string => tokens.createToken(Math.floor(now / 1000).toString(36));
  return {
    create,

    /** Creates the stamp of a form that was open for too long: whoever sends it again at once is not too fast. */
    renew: (now: number): string => create(now - STAMP_MIN_AGE_MS),

    verify(stamp: string, now: number): StampVerdict {
      const time = tokens.readSubject(stamp);
      if (time === undefined) return "forged-form";
      const age = now - parseInt(time, 36) * 1000;
      if (age > STAMP_MAX_AGE_MS) return "expired";
      // Rendered by an instance whose clock is ahead: its age is unknown (R35).
      if (age < 0 && age >= -CLOCK_TOLERANCE_MS) return "ok";
      return age < STAMP_MIN_AGE_MS ? "too-fast" : "ok";
    },
  };
}

export type FormStamps = ReturnType<typeof createFormStamps>;
