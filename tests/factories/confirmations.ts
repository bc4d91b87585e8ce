import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import {
  createConfirmationTokens,
  type ConfirmedKind,
} from "~/services/confirmations/confirmation-request.server";
import { createConfirmations } from "~/services/confirmations/confirmations.server";
import { createConfirmationKind } from "~/services/confirmations/confirmation-email.server";
import { composeConfirmationEmail } from "~/emails/compose-transactional";
import type { TransactionalSending } from "~/services/mail/transactional/transactional-jobs.server";
import { newId } from "~/services/service-deps";
import { accepted, neverSettles, ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { brand } from "./brand";
import { createTestSignups } from "./forms";
import { createMortalDatabase } from "./mortal-database";
import { setImmediateTimer } from "./outreach";
import { expectCountsToAgree } from "./submissions";
import { createTestClock } from "./time";
import { createTestEmails, listEmails, sender } from "./transactional-emails";

/** The actor of a visitor who clicks a link, for the audit. */
export const visitor = { network: "203.0.113.0", requestId: "request-1" };

/**
 * Creates signups and confirmations on a database, with a mailer that answers by `script` and a clock the test moves.
 * @param options.isRequired DOUBLE_OPT_IN=on; `requiredFor` for another setting.
 */
export function createTestConfirmations(
  database: Database,
  script?: Script,
  {
    isRequired = true,
    requiredFor = isRequired ? ["updates-signup"] : [],
  }: { isRequired?: boolean; requiredFor?: readonly ConfirmedKind[] } = {},
) {
  const clock = createTestClock();
  const mailer = new ScriptedMailer(script);
  const logged: string[] = [];
  const tokens = createConfirmationTokens("a secret of the tests");
  let wakes = 0;
  const emailKind = createConfirmationKind({
    sender,
    compose: (email) => composeConfirmationEmail({ ...email, brandName: brand.name }),
    confirmUrl: (request) => `https://example.com/updates/confirm/${tokens.createToken(request)}`,
  });
  const emails = createEmails();
  const confirmations = createConfirmations({
    database,
    tokens,
    clock,
    newId,
    emails,
    emailKind,
    wake: () => (wakes += 1),
    requiredFor,
  });
  const { signups, createForm } = createTestSignups(database, { clock, optIn: confirmations.optIn });
  const { worker } = emails;

  return {
    clock,
    mailer,
    logged,
    tokens,
    confirmations,
    signups,
    createForm,
    createWorker,
    crashInFlight,
    signUp,
    signUpAndSend,
    getRequest,
    states,
    counts,
    link,
    /** Number of times the worker was woken. */
    wakes: () => wakes,
    /** Sends due emails. */
    send,
  };

  async function send(): Promise<void> {
    await worker.tick();
  }

  /** Runs a worker that dies with an email in flight; the mailer accepts all later emails. */
  async function crashInFlight(): Promise<void> {
    const sentBefore = mailer.received.length;
    mailer.script = () => neverSettles;
    const { victim, kill } = createMortalDatabase(database);
    const crashing = createWorker({ database: victim, setTimer: setImmediateTimer }).tick();
    await yieldUntil(() => mailer.received.length > sentBefore);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    mailer.script = () => accepted;
  }

  function createWorker(differing: Partial<TransactionalSending> = {}) {
    return createEmails(differing).worker;
  }

  function createEmails(differing: Partial<TransactionalSending> = {}) {
    return createTestEmails(database, clock, {
      mailer,
      log: {
        info: (_, message) => void logged.push(`info: ${message}`),
        error: (_, message) => void logged.push(`error: ${message}`),
      },
      ...differing,
      kinds: [emailKind],
    });
  }

  /** Signs up for updates as an honest visitor, each time from another network. */
  function signUp(email = "ada@example.com", name = "Ada Byron") {
    return signups.record("updates-signup", { name, email }, createForm());
  }

  async function signUpAndSend(...person: Parameters<typeof signUp>): Promise<void> {
    await signUp(...person);
    await send();
  }

  /** Returns the only confirmation request there is, with its newest email. */
  async function getRequest() {
    const request = await database.read.selectFrom("confirmations").selectAll().executeTakeFirstOrThrow();
    return { ...(await listEmails(database)).at(-1)!, ...request };
  }

  /** Lists the states of all submissions in order. */
  async function states(): Promise<string[]> {
    const rows = await database.read.selectFrom("submissions").select("state").orderBy("id").execute();
    return rows.map((row) => row.state);
  }

  /** Returns the stored counts; fails the test unless they agree with the rows. */
  async function counts(): Promise<Record<string, number>> {
    await expectCountsToAgree(database);
    const counted: Record<string, number> = {};
    for (const state of await states()) counted[state] = (counted[state] ?? 0) + 1;
    return counted;
  }

  /** Returns the token of the link in an email, the last one sent by default. */
  function link(email = mailer.received.at(-1)): string {
    const token = /\/updates\/confirm\/(\S+)/.exec(email?.text ?? "")?.[1];
    if (!token) throw new Error("There is no email with a link");
    return token;
  }
}
