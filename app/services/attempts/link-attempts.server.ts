import { minutes } from "~/lib/durations";
import { isLinkToken } from "~/lib/link-token.server";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type Caller } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { consume, getNetworkLimits } from "./attempts.server";

/** Unknown links, and forms of any link, from one network. */
const PER_NETWORK = { allowed: 50, windowMs: minutes(15) };

/** Too many unknown links, or forms of links, came from this network. */
export interface ThrottledLink {
  readonly state: "throttled";
  readonly retryAfterSeconds: number;
}

/** What links of one kind are counted and audited as. */
interface LinkKind {
  readonly prefix: string;
  readonly action: AuditAction;
}

/**
 * Counts a guess at a link that gives access, or a form of one.
 * @returns how long its network has to wait, once it made too many.
 */
export function consumeLinkAttempt(
  deps: ServiceDeps,
  link: LinkKind,
  caller: Caller,
): Promise<ThrottledLink | undefined> {
  return deps.database.write(async (trx) => {
    const attempt = await consume(
      trx,
      getNetworkLimits(link.prefix, caller.address, PER_NETWORK),
      deps.clock(),
    );
    if (attempt.ok) return undefined;
    if (attempt.isFirst) {
      const refusal = { action: link.action, subject: "", outcome: "refused" } as const;
      await createAudit(deps)(trx, { ...caller, by: "visitor" }, refusal);
    }
    return { state: "throttled", retryAfterSeconds: attempt.retryAfterSeconds } as const;
  });
}

/** Returns the state of a link that is not open. A well-formed token that is unknown is a guess, and counts as one. */
export async function countIfGuess<State extends string>(
  deps: ServiceDeps,
  link: LinkKind,
  { token, state }: { token: string; state: State },
  caller: Caller,
): Promise<{ state: State } | ThrottledLink> {
  const isGuess = state === "unknown" && isLinkToken(token);
  const throttled = isGuess ? await consumeLinkAttempt(deps, link, caller) : undefined;
  return throttled ?? { state };
}
