import type { Read } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import type { SetupRecordsTable } from "~/db/tables/setup";
import { seconds } from "~/lib/durations";
import { emailKey } from "~/lib/email-address";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import type { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { createDeletions } from "~/services/submissions/deletions.server";
import { countByKind } from "~/services/submissions/submission-states.server";
import { listAccounts, type AccountFacts, type QuickFacts } from "./quick-facts.server";
import type { SetupCheck, SetupResult } from "./setup-check";
import { checkQuickly, checkSetup, setupChecks } from "./setup-checks";
import type { SetupFacts } from "./setup-facts.server";
import {
  getCheckedSettings,
  getMailSettings,
  readRecords,
  readResults,
  removeRecord,
  writeRecord,
  type SetupRecords,
} from "./setup-records.server";
import { getStepState, setupSteps, type SetupProgress, type StepName, type StepState } from "./setup-steps";
import { sendSetupEmail, type TestEmailOutcome, type TestEmailSending } from "./setup-test-email.server";

/** How long a request waits for the checks, each of which has a timeout of its own. They then end in the background. */
const CHECK_TIMEOUT_MS = seconds(20);
/** Submissions of one's own that the screen shows and removes at a time. */
const MAX_OWN = 20;
/** Submissions at each end that are searched for one that was not imported: some milliseconds. */
const MAX_SEARCHED = 1000;

/** The result of a check; without one when it takes a while and was not made yet. */
export type CheckView = Pick<SetupCheck, "name" | "settings" | "severity"> &
  Partial<Pick<SetupResult, "state" | "why">>;

export interface StepView {
  readonly name: StepName;
  readonly state: StepState;
  readonly checks: readonly CheckView[];
}

interface SetupDeps extends ServiceDeps {
  readonly collectQuickFacts: (accounts: readonly AccountFacts[]) => Promise<QuickFacts>;
  /** Collects all facts, within some seconds also when other systems do not answer. */
  readonly collectSetupFacts: () => Promise<SetupFacts>;
  readonly allowance: Pick<DailyAllowance, "getToday">;
  readonly sending: TestEmailSending;
  readonly deletions: Pick<ReturnType<typeof createDeletions>, "delete">;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Shows superadmins how far the setup has come, by the checks of `npm run check:deploy` and by proofs: an email that a
 * mail server accepted, a backup, a signup. Reading waits for no other system; what does, an operator asks for.
 */
export function createSetup(deps: SetupDeps) {
  const { database, clock, deletions, setTimer } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  async function evaluate(records: SetupRecords) {
    const [accounts, counts] = await Promise.all([listAccounts(database), countByKind(read, "accepted")]);
    const facts = await deps.collectQuickFacts(accounts);
    const { settings } = facts;
    const stored = readResults(records.get("checks"), getCheckedSettings(settings));
    const results = new Map<string, Pick<SetupResult, "state" | "why">>();
    for (const each of stored) results.set(each.name, each);
    for (const each of checkQuickly(facts)) results.set(each.name, each);
    const signups = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const isSignup = signups > 0 && (await hasSignup(read));
    const testEmail = toTestEmail(records.get("test-email"), getMailSettings(settings));
    const proofs: Partial<Record<StepName, StepState>> = {
      "test-email": getTestEmailStepState(settings.MAIL_DRIVER === "outbox", testEmail),
      signup: isSignup || records.has("signup") ? "done" : "open",
      colleague: accounts.length > 1 ? "done" : "open",
    };
    const steps = setupSteps.map(({ name, checks }): StepView => ({
      name,
      state: getStepState(checks, results, proofs[name]),
      checks: checks.map((check) => ({
        name: check.name,
        settings: check.settings,
        severity: check.severity,
        state: results.get(check.name)?.state,
        why: results.get(check.name)?.why,
      })),
    }));
    return {
      steps,
      progress: toProgress(steps),
      /** When the slow checks were made with these settings; undefined when they were not. */
      checkedAt: stored.length > 0 ? records.get("checks")?.at : undefined,
      testEmail,
      mailer: settings.MAIL_DRIVER,
      backup: { at: facts.backups.newestAt, folder: facts.backups.folder },
      signups: isSignup ? signups : 0,
      accounts: accounts.length,
    };
  }

  return {
    /** Returns how far the setup has come; undefined when it is done, or a superadmin has dismissed the card. */
    async getCard(): Promise<SetupProgress | undefined> {
      const records = await readRecords(read);
      if (records.has("card-dismissed")) return undefined;
      const { progress } = await evaluate(records);
      return progress.next === undefined ? undefined : progress;
    },

    /** Returns everything that the screen shows a superadmin. */
    async getView({ email }: { readonly email: string }) {
      const records = await readRecords(read);
      const [view, ownSignups, allowance] = await Promise.all([
        evaluate(records),
        listOwnSignups(read, email),
        deps.allowance.getToday(read, clock()),
      ]);
      return { ...view, ownSignups, allowance, isCardDismissed: records.has("card-dismissed") };
    },

    /**
     * Makes the slow checks and records their results, also when they come too late for the operator who waits.
     * @returns false when they have not ended in time.
     */
    async check(): Promise<boolean> {
      return (await within(CHECK_TIMEOUT_MS, runChecks(), setTimer)) !== undefined;
    },

    /** Sends an email to the actor and records the mail server's answer. "waiting": there is none yet. */
    async sendTestEmail(actor: Actor): Promise<TestEmailOutcome | "waiting"> {
      // For the settings alone.
      const { settings } = await deps.collectQuickFacts([]);
      const isOutbox = settings.MAIL_DRIVER === "outbox";
      const inUse = { settings: getMailSettings(settings), isOutbox };
      return sendSetupEmail({ ...deps.sending, ...inUse, database, clock, setTimer }, actor);
    },

    /** Deletes the actor's own accepted submissions, as everywhere with ten minutes to undo. @returns their number. */
    async removeOwnSignups(actor: Actor): Promise<number> {
      const own = (await listOwnSignups(read, actor.by)).filter(({ state }) => state === "accepted");
      if (own.length === 0) return 0;
      await database.write((trx) => writeRecord(trx, { name: "signup", at: clock() }));
      for (const kind of SUBMISSION_KINDS) {
        const ids = own.filter((signup) => signup.kind === kind).map(({ id }) => id);
        if (ids.length > 0) await deletions.delete({ kind, ids }, actor);
      }
      return own.length;
    },

    /** Takes the card off the dashboard of all superadmins. */
    async dismissCard(actor: Actor): Promise<void> {
      await database.write(async (trx) => {
        await writeRecord(trx, { name: "card-dismissed", at: clock() });
        await audit(trx, actor, { action: "dismiss-setup-card", subject: "" });
      });
    },

    /** Puts the card back, as long as something is left to do. */
    async restoreCard(actor: Actor): Promise<void> {
      await database.write(async (trx) => {
        await removeRecord(trx, "card-dismissed");
        await audit(trx, actor, { action: "restore-setup-card", subject: "" });
      });
    },
  };

  async function runChecks(): Promise<true> {
    const beganAt = clock();
    const facts = await deps.collectSetupFacts();
    const slow = new Set(setupChecks.filter(({ isQuick }) => !isQuick).map(({ name }) => name));
    const results = checkSetup(facts).filter(({ name }) => slow.has(name));
    const at = clock();
    await database.write((trx) =>
      writeRecord(trx, {
        name: "checks",
        at,
        settings: getCheckedSettings(facts.settings),
        detail: JSON.stringify(results.map(({ name, state, why }) => ({ name, state, why }))),
        took_ms: at - beganAt,
      }),
    );
    return true;
  }
}

function toProgress(steps: readonly StepView[]): SetupProgress {
  return {
    done: steps.filter(({ state }) => state === "done").length,
    total: steps.length,
    next: steps.find(({ state }) => state !== "done")?.name,
  };
}

/** The newest test email. */
export interface TestEmailView {
  readonly at: number;
  readonly outcome: TestEmailOutcome;
  /** The mail server's words, or the reason why the address is suppressed. */
  readonly detail: string;
  readonly tookMs: number;
  /** Whether it was sent with the settings in use. */
  readonly isCurrent: boolean;
}

function toTestEmail(record: SetupRecordsTable | undefined, settings: string): TestEmailView | undefined {
  return (
    record && {
      at: record.at,
      outcome: record.outcome as TestEmailOutcome,
      detail: record.detail,
      tookMs: record.took_ms,
      isCurrent: record.settings === settings,
    }
  );
}

/** An email in the outbox reaches nobody, so it proves nothing. */
function getTestEmailStepState(isOutbox: boolean, email: TestEmailView | undefined): StepState {
  if (isOutbox) return "open";
  if (!email?.isCurrent) return "unproven";
  return email.outcome === "accepted" ? "done" : "open";
}

/**
 * Returns whether somebody sent a form. Looks at the oldest and the newest submissions: an import may have added a million
 * of an earlier time, or of its own.
 */
async function hasSignup(read: Read): Promise<boolean> {
  for (const direction of ["desc", "asc"] as const) {
    const some = read
      .selectFrom("submissions")
      .select(["state", "import_id"])
      .orderBy("id", direction)
      .limit(MAX_SEARCHED);
    const sent = read
      .selectFrom(some.as("some"))
      .select("state")
      .where("state", "=", "accepted")
      .where("import_id", "is", null);
    if (await hasRows(sent)) return true;
  }
  return false;
}

/** Lists the submissions that came from an address, newest first. */
function listOwnSignups(read: Read, email: string) {
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "state", "created_at"])
    .where("kind", "in", SUBMISSION_KINDS)
    .where("state", "in", ["accepted", "unconfirmed", "quarantined"])
    .where("email_key", "=", emailKey(email))
    .orderBy("id", "desc")
    .limit(MAX_OWN)
    .execute();
}
