import type { Database } from "~/db/database.server";
import { getAutomaticTexts } from "~/content/automatic-texts";
import { composeConfirmationEmail } from "~/emails/compose-transactional";
import { composeAutomaticEmail } from "~/emails/compose";
import type { AutomaticRule } from "~/lib/automatic-rules";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import type { FormColumns, SubmissionKind } from "~/lib/form-fields";
import { createAutomaticEmails } from "~/services/automatic/automatic-emails.server";
import { createAutomaticKinds } from "~/services/automatic/automatic-kinds.server";
import { createAutomaticQueue } from "~/services/automatic/automatic-queue.server";
import { createAutomaticRules } from "~/services/automatic/automatic-rules.server";
import { requestAddressLink } from "~/services/confirmations/address-link.server";
import { createConfirmationKind } from "~/services/confirmations/confirmation-email.server";
import {
  createConfirmationTokens,
  type ConfirmationRequest,
  type ConfirmedKind,
} from "~/services/confirmations/confirmation-request.server";
import { createConfirmations } from "~/services/confirmations/confirmations.server";
import type { AutomaticEmail } from "~/services/mail/email-parts";
import type { TransactionalSending } from "~/services/mail/transactional/transactional-jobs.server";
import { createTestEmailKind } from "~/services/outreach/sample-email.server";
import { newId } from "~/services/service-deps";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups, type FormContext } from "~/services/signups/signups.server";
import { createUnsubscribeTokens, createUnsubscribing } from "~/services/suppressions/suppressions.server";
import { ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import { brand } from "./brand";
import { createFormContext } from "./forms";
import { operator } from "./outreach";
import { createTestClock } from "./time";
import { createTestEmails, listEmails, sender } from "./transactional-emails";

const SECRET = "a secret of the tests";

/** Creates the forms, and the emails that answer them, on a database; with a mailer and a clock of the test's. */
export function createTestAutomatic(
  database: Database,
  { script, requiredFor = [] }: { script?: Script; requiredFor?: readonly ConfirmedKind[] } = {},
) {
  const clock = createTestClock();
  const mailer = new ScriptedMailer(script);
  const unsubscribeTokens = createUnsubscribeTokens(SECRET);
  const confirmationTokens = createConfirmationTokens(SECRET);
  const toConfirmUrl = (request: ConfirmationRequest) =>
    `https://example.com/updates/confirm/${confirmationTokens.createToken(request)}`;
  const compose = (email: AutomaticEmail) => composeAutomaticEmail({ ...email, brandName: brand.name });
  const kinds = createAutomaticKinds({
    database,
    sender,
    compose,
    unsubscribeUrl: (id) => `https://example.com/unsubscribe/${unsubscribeTokens.createToken(id)}`,
    async getConfirmUrl(recipient) {
      const request = await requestAddressLink({ database, clock, newId }, recipient);
      return request && toConfirmUrl(request);
    },
  });
  const confirmationKind = createConfirmationKind({
    sender,
    compose: (email) => composeConfirmationEmail({ ...email, brandName: brand.name }),
    confirmUrl: toConfirmUrl,
  });
  const testKind = createTestEmailKind({ clock, newId });
  const createEmails = (differing: Partial<TransactionalSending> = {}) =>
    createTestEmails(database, clock, {
      mailer,
      kinds: [...Object.values(kinds), confirmationKind, testKind],
      ...differing,
    });
  const emails = createEmails();
  let wakes = 0;
  const wake = () => void (wakes += 1);
  const automatic = createAutomaticQueue({ emails, kinds });
  const confirmations = createConfirmations({
    database,
    tokens: confirmationTokens,
    clock,
    newId,
    emails,
    emailKind: confirmationKind,
    automatic,
    wake,
    requiredFor,
  });
  const { optIn } = confirmations;
  const stamps = createFormStamps(SECRET);
  const signups = createSignups({ database, stamps, clock, newId, optIn, automatic });
  const quarantine = createQuarantine({ database, clock, newId, optIn, automatic });
  const rules = createAutomaticRules({ database, clock, newId, defaults: getAutomaticTexts(brand.name) });
  const automaticEmails = createAutomaticEmails({
    database,
    clock,
    newId,
    rules,
    emails,
    kinds,
    wake,
    testKind,
    sender,
    mailDomain: "example.com",
    compose,
    deadUnsubscribeUrl: "https://example.com/unsubscribe/preview",
    deadConfirmUrl: "https://example.com/updates/confirm/preview",
  });
  let networks = 0;

  return {
    clock,
    mailer,
    signups,
    quarantine,
    confirmations,
    rules,
    automaticEmails,
    kinds,
    createEmails,
    unsubscribing: createUnsubscribing({ database, clock, newId, tokens: unsubscribeTokens }),
    wakes: () => wakes,
    turnOn,
    submit,
    submitByProgram,
    getToken,
    send: () => emails.worker.tick(),
    states,
    findIds,
  };

  async function turnOn(...on: AutomaticRule[]): Promise<void> {
    for (const rule of on) await rules.turn(rule, true, operator);
  }

  /** Sends a form as an honest visitor, each time from another network and with another text. */
  function submit(
    kind: SubmissionKind,
    fields: { email?: string; name?: string } = {},
    differing: Partial<FormContext> = {},
  ) {
    networks += 1;
    const address = `10.${networks >> 8}.${networks & 255}.1`;
    const stamp = stamps.create(clock() - 5000);
    const context = createFormContext(stamp, { address, ...differing });
    return signups.record(kind, toColumns(kind, fields), context);
  }

  function submitByProgram(kind: SubmissionKind, notify?: boolean, fields: { email?: string } = {}) {
    const consent = { wording: "I agree", version: "1" };
    const context = { isByProgram: true, consent, address: "203.0.113.9", notify } as const;
    return signups.record(kind, toColumns(kind, fields), context);
  }

  function toColumns(
    kind: SubmissionKind,
    { email = "Ada@Example.com", name = "Ada Byron" },
  ): FormColumns[SubmissionKind] {
    const inquiry = { inquiry_type: "general", message: `Message ${networks}` } as const;
    return { ...EMPTY_FIELDS, company: "Engines", name, email, ...(kind === "contact-form" ? inquiry : {}) };
  }

  /** Lists the kind and state of each automatic email, with the reason of those that were skipped. */
  async function states(): Promise<string[]> {
    const rows = (await listEmails(database)).filter(({ kind }) => kind in kinds);
    return rows.map(({ kind, state, detail }) =>
      state === "skipped" ? `${kind} skipped: ${detail}` : `${kind} ${state}`,
    );
  }

  /** Returns the token of the confirmation link in the newest email; undefined without one. */
  function getToken(): string | undefined {
    return /\/updates\/confirm\/(\S+)/.exec(mailer.received.at(-1)?.text ?? "")?.[1];
  }

  async function findIds(): Promise<string[]> {
    return (await listEmails(database)).filter(({ kind }) => kind in kinds).map(({ id }) => id);
  }
}
