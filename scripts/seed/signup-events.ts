import { days, hours, minutes, seconds } from "~/lib/durations";
import { between, pickOne } from "~/lib/random";
import { UNKNOWN_SOURCE } from "~/lib/source";
import { startOfDay } from "~/lib/utc-day";
import { getLeastUuid } from "~/lib/uuid";
import { mirrorQueue } from "~/services/mirrors/mirror-rows.server";
import type { AutomaticQueue } from "~/services/automatic/automatic-queue.server";
import { createInquiries } from "~/services/inquiries/inquiries.server";
import { addLandingVisits } from "~/services/sources/landing-visits.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups, type FormContext, type SignupOutcome } from "~/services/signups/signups.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import { createAddress, createPeople, SOURCES, type Person } from "./people";
import { listVisitTimes, type PastEvent, type PastTools } from "./past";
import type { QuarantineReason } from "~/lib/quarantine-reasons";

const INQUIRIES = [
  ["general", "When will you open to everybody? We are a team of twelve and would like to plan for it."],
  ["general", "Does it work on a phone, or in a browser alone?"],
  [
    "partnership",
    "We run meet-ups for small businesses and would gladly show it to them. Whom do I talk to?",
  ],
  ["partnership", "We build booking tools for clinics. An integration could help both of us."],
  ["support", "I signed up twice by mistake, with two addresses. Please keep the second one only."],
  ["support", "I asked for updates last week and have not heard anything. Did my address arrive?"],
  ["general", "Can a whole school use it? We have about forty teachers.\n\nThank you for a short answer."],
  ["support", "How do I change the address my updates go to?"],
] as const;
/** Days on which an operator answered inquiries, before today. */
const ANSWERED_DAYS_AGO = [1, 2, 4, 7, 11, 16, 22, 30, 45, 60];
/** Times at which visits are counted. */
const VISIT_DAYS = 120;
const SPAM = "Get a thousand followers over night. Visit http://example.net/offer now.";

/**
 * Seeds the three forms over the whole period: people, many of them with several forms, duplicates, and bots, of
 * which an operator released some and removed others. Most inquiries were answered.
 */
export function createSignupEvents(tools: PastTools, count: number, automatic: AutomaticQueue): PastEvent[] {
  const { database, brand, clock, random, now, operator } = tools;
  const stamps = createFormStamps(tools.secrets.form);
  const services = { ...tools, automatic, mirror: mirrorQueue };
  const signups = createSignups({ ...services, stamps });
  const quarantine = createQuarantine(services);
  const submissions = createSubmissions(tools);
  const deletions = createDeletions({ ...services, submissions });
  const inquiries = createInquiries(tools);

  const people = createPeople(random, Math.ceil(count * 0.8));
  const bots = Math.ceil(count * 0.08);
  return [
    // Everybody once, then some of them again with another form.
    ...listVisitTimes(random, now, count).map((at, index) =>
      createVisit(at, people[index] ?? pickOne(random, people)),
    ),
    ...listVisitTimes(random, now, bots).map(createBotVisit),
    { at: now - hours(70), do: () => review("release", "too-fast", 2) },
    { at: now - hours(69), do: () => review("purge", "honeypot", 3) },
    { at: now - minutes(4), do: deleteTwo },
    ...listVisitTimes(random, now, VISIT_DAYS).map((at) => ({
      at,
      isWrite: true,
      do: () => countVisits(at),
    })),
    ...ANSWERED_DAYS_AGO.map((ago) => ({ at: now - days(ago), do: answerInquiries })),
  ];

  /** Counts the visits of the landing page that lead to about one signup in fifteen. */
  function countVisits(at: number): Promise<void> {
    const perSource = Math.ceil((15 * count) / VISIT_DAYS / SOURCES.length);
    const day = startOfDay(at);
    return addLandingVisits(
      database,
      SOURCES.filter((source) => source !== UNKNOWN_SOURCE).map((source) => ({
        day,
        source,
        count: between(random, 1, 2 * perSource),
      })),
    );
  }

  function createVisit(at: number, person: Person): PastEvent {
    const share = random();
    const form = () => createContext(person, stamps.create(clock() - seconds(between(random, 20, 400))));
    const record = (): Promise<SignupOutcome> => {
      const { name, email, company, role } = person;
      if (share < 0.58) return signups.record("early-access", { name, email, company, role }, form());
      if (share < 0.86) return signups.record("updates-signup", { name, email }, form());
      return sendInquiry(person, form());
    };
    return { at, isWrite: true, do: record };
  }

  function sendInquiry({ name, email }: Person, form: FormContext): Promise<SignupOutcome> {
    const [inquiry_type, message] = pickOne(random, INQUIRIES);
    return signups.record("contact-form", { name, email, inquiry_type, message }, form);
  }

  /** Creates a bot's visit: it fills the honeypot, submits too fast, or has a forged stamp. */
  function createBotVisit(at: number, index: number): PastEvent {
    const variant = index % 3;
    const email = `offer${index}@example.net`;
    return {
      at,
      isWrite: true,
      do: () => {
        const stamp = variant === 2 ? "made-up" : stamps.create(clock() - (variant === 1 ? 0 : seconds(30)));
        const form = {
          ...createContext({ address: createAddress(random), source: "unknown" }, stamp),
          honeypot: variant === 0 ? "yes" : "",
        };
        // A hasty person looks like a bot.
        if (variant === 1) return sendInquiry(pickOne(random, people), form);
        const bot = { name: "Best Offers", email };
        if (index % 2 === 0) return signups.record("updates-signup", bot, form);
        const inquiry = { ...bot, inquiry_type: "partnership", message: SPAM } as const;
        return signups.record("contact-form", inquiry, form);
      },
    };
  }

  function createContext(
    { address, source }: Pick<Person, "address" | "source">,
    stamp: string,
  ): FormContext {
    const wording = `By signing up you agree that we keep these details and write to you about ${brand.name}.`;
    return { honeypot: "", stamp, address, source, consent: { wording, version: "2026-11" } };
  }

  async function review(action: "release" | "purge", reason: QuarantineReason, limit: number): Promise<void> {
    const quarantined = await quarantine.list({ reason }, { limit });
    await quarantine[action]({ ids: quarantined.map(({ id }) => id) }, operator());
  }

  /** Marks the oldest open inquiries as answered; a few stay open. */
  async function answerInquiries(): Promise<void> {
    const open = await submissions.ids(
      { kind: "contact-form", inquiryState: "open" },
      { order: { sort: "received", direction: "asc" }, limit: 100 },
    );
    await inquiries.answer(open.ids.slice(0, -2), operator());
  }

  /** Deletes two signups, which can still be undone; their mirrored rows need a person. */
  async function deleteTwo(): Promise<void> {
    const rows = await database.read
      .selectFrom("submissions")
      .select("id")
      .where("kind", "=", "updates-signup")
      .where("state", "=", "accepted")
      .where("id", "<", getLeastUuid(now - days(10)))
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    await deletions.delete({ kind: "updates-signup", ids: rows.map(({ id }) => id) }, operator());
  }
}
