import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { mirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { createMirrorWorker } from "~/services/mirrors/mirror-worker.server";
import { createMirrors } from "~/services/mirrors/mirrors.server";
import type { SubmissionMirror } from "~/services/mirrors/submission-mirror";
import { createPeople } from "~/services/people/people.server";
import { createPeopleSearch } from "~/services/search/people-search.server";
import { newId } from "~/services/service-deps";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups } from "~/services/signups/signups.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import type { ScriptedMirror } from "../fakes/scripted-mirror";
import { createSubmissionContext } from "./forms";
import { createLeaseTime, createTestClock } from "./time";

export const operator = { by: "operator@example.com", network: "192.0.2.0", requestId: "r-1" };

export const listEmails = (mirror: ScriptedMirror) => mirror.sheets["early-access"].map((row) => row[1]);

/** Lists the addresses with these letters, such as a@example.com. */
export const toEmails = (letters: string) => Array.from(letters, (letter) => `${letter}@example.com`);

/** Creates signups and the mirroring of a database, with a clock the test moves. */
export function createTestMirrors(database: Database, mirror: ScriptedMirror) {
  const clock = createTestClock();
  const stamps = createFormStamps("a secret of the tests");
  const stamp = stamps.create(clock());
  clock.forward(seconds(5));
  const deps = { database, clock, newId, mirror: mirrorQueue };
  const signups = createSignups({ ...deps, stamps });
  const submissions = createSubmissions({ ...deps, peopleSearch: createPeopleSearch({ database }) });
  const people = createPeople({ ...deps, outbox: undefined });
  const mirrors = createMirrors({ ...deps, wake: () => undefined });
  const logged: string[] = [];
  let networks = 0;
  const worker = createWorker();

  return {
    mirror,
    clock,
    quarantine: createQuarantine(deps),
    deletions: createDeletions({ ...deps, submissions }),
    mirrors,
    logged,
    createWorker,
    /** Runs the worker of the first instance until it has to wait. */
    tick: () => worker.tick(),
    addVisitor,
    signUp,
    inquire,
    findId,
    erase: async (email: string) => people.erase(await findId(email), operator),
    states,
    sheet,
  };

  /** Creates a mirror worker; another one of the same instance is its restart. */
  function createWorker({
    target = "a sheet",
    instance = "one:3000",
    to = mirror,
  }: { target?: string; instance?: string; to?: SubmissionMirror } = {}) {
    return createMirrorWorker({
      database,
      mirror: to,
      clock,
      leaseTime: createLeaseTime(clock),
      newId,
      instance,
      targets: { "early-access": target, "contact-form": target, "updates-signup": target },
      random: () => 0.5,
      log: { info: () => undefined, error: (_fields, message) => logged.push(message) },
      // Timers fire at once: `tick` ends where a wait begins.
      setTimer: (_ms, callback) => (callback(), () => undefined),
    });
  }

  function addVisitor() {
    networks += 1;
    clock.forward(1);
    return createSubmissionContext(stamp, { address: `10.${networks >> 8}.${networks & 255}.1` });
  }

  async function signUp(...emails: string[]): Promise<void> {
    for (const email of emails) {
      const name = `Name of ${email.split("@")[0]}`;
      await signups.recordEarlyAccessSignup({ name, email, company: "Acme", role: "manager" }, addVisitor());
    }
  }

  async function inquire(email: string, message: string): Promise<void> {
    await signups.recordContactSubmission(
      { fullName: "Grace Hopper", email, inquiryType: "support", message },
      addVisitor(),
    );
    await signups.recordUpdatesSignup({ name: "Grace Hopper", email }, addVisitor());
  }

  async function findId(email: string, kind: SubmissionKind = "early-access"): Promise<string> {
    const rows = database.read.selectFrom("submissions").select("id").where("email_key", "=", email);
    return (await rows.where("kind", "=", kind).executeTakeFirstOrThrow()).id;
  }

  /** Counts the early access rows by state. */
  async function states(): Promise<Record<string, number>> {
    const rows = await database.read
      .selectFrom("mirror_rows")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .where("kind", "=", "early-access")
      .groupBy("state")
      .execute();
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  /** Returns the overview of the early access sheet. */
  async function sheet() {
    const [first] = await mirrors.overview();
    return first!;
  }
}
