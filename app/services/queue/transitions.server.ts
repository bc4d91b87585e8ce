import type { Write } from "~/db/database.server";
import type { AuditAction } from "~/services/audit/actions";
import type { Actor, AuditEntry } from "~/services/audit/audit.server";
import { canTransition, type StoredState, type Transition } from "./life-cycle";

/** "wrong-state": the state does not allow the transition. */
export type TransitionResult<Unknown extends string> =
  { ok: true } | { ok: false; error: Unknown | "wrong-state" };

type Changes<Group> = Partial<Group> | undefined;

interface TransitionsDeps<Group, Unknown> {
  readonly database: { write<Result>(work: (trx: Write) => Promise<Result>): Promise<Result> };
  readonly audit: (trx: Write, actor: Actor, entry: AuditEntry) => Promise<void>;
  /** Wakes the workers, for there may be work. */
  readonly wake: () => void;
  /** Reads a campaign or broadcast and locks its row. */
  readonly lock: (trx: Write, id: string) => Promise<Group | undefined>;
  readonly update: (trx: Write, id: string, changes: Partial<Group>) => Promise<unknown>;
  /** The error for an id that there is not. */
  readonly unknown: Unknown;
}

/** Creates the operators' transitions of campaigns or of broadcasts, each with its audit entry in one transaction. */
export function createTransitions<Group extends StoredState, Unknown extends string>(
  deps: TransitionsDeps<Group, Unknown>,
) {
  const { database, audit, wake, lock, update, unknown } = deps;

  /** Wakes the workers once a change is committed. */
  async function thenWake<Outcome extends { ok: boolean }>(changing: Promise<Outcome>): Promise<Outcome> {
    const outcome = await changing;
    if (outcome.ok) wake();
    return outcome;
  }

  return {
    thenWake,

    /** @param change returns undefined when more than the state forbids the transition. */
    transition(
      id: string,
      { kind, action, actor }: { kind: Transition; action: AuditAction; actor: Actor },
      change: (group: Group, trx: Write) => Changes<Group> | Promise<Changes<Group>>,
    ): Promise<TransitionResult<Unknown>> {
      return thenWake(
        database.write(async (trx): Promise<TransitionResult<Unknown>> => {
          const group = await lock(trx, id);
          if (!group) return { ok: false, error: unknown };
          const changes = canTransition(group, kind) ? await change(group, trx) : undefined;
          if (!changes) return { ok: false, error: "wrong-state" };
          await update(trx, id, changes);
          await audit(trx, actor, { action, subject: id });
          return { ok: true };
        }),
      );
    },
  };
}
