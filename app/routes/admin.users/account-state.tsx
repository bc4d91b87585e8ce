import { CircleAlert, CircleCheck, Clock, ShieldCheck } from "~/components/icons";
import type { LucideIcon } from "~/components/icons";
import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import type { AccountState as State } from "~/services/accounts/account-state";

const copy = operatorMessages.users.states;

const LOOKS: Record<State["kind"], { icon: LucideIcon; color: string }> = {
  waiting: { icon: Clock, color: "text-warning" },
  expired: { icon: CircleAlert, color: "text-danger" },
  active: { icon: CircleCheck, color: "text-success" },
};

/** How far an account has come, and whether a code is asked of it, in words; the signs before them only repeat it. */
export function AccountState({ account, now }: { account: Stateful; now: number }) {
  const { icon: Icon, color } = LOOKS[account.state.kind];
  return (
    <>
      <span className="flex items-start gap-1.5">
        <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
        <span>{wordsFor(account, now)}</span>
      </span>
      {account.hasSecondFactor ? (
        <span className="flex items-start gap-1.5">
          <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          <span>{operatorMessages.secondFactor.users.state}</span>
        </span>
      ) : null}
    </>
  );
}

interface Stateful {
  state: State;
  lastLoginAt: number | null;
  hasSecondFactor: boolean;
}

function wordsFor({ state, lastLoginAt }: Stateful, now: number): ReactNode {
  if (state.kind !== "waiting") return copy[state.kind];
  if (state.expiresAt === null) return lastLoginAt === null ? copy.notYet : copy.temporary;
  return (
    <>
      {lastLoginAt === null ? copy.notYetExpires : copy.temporaryExpires}{" "}
      <Timestamp at={state.expiresAt} now={now} />
    </>
  );
}
