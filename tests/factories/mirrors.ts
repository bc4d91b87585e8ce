import type { Database } from "~/db/database.server";
import { mirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { createMirrorWorker } from "~/services/mirrors/mirror-worker.server";
import { createMirrors } from "~/services/mirrors/mirrors.server";
import type { SubmissionMirror } from "~/services/mirrors/submission-mirror";
import { createPeople } from "~/services/people/people.server";
import { newId } from "~/services/service-deps";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import type { ScriptedMirror } from "../fakes/scripted-mirror";
import { createTestSignups } from "./forms";
import { operator } from "./outreach";
import { createPersonData } from "./people";
import { createLeaseTime } from "./time";
import type { SubmissionKind } from "~/lib/form-fields";

export const listEmails = (mirror: ScriptedMirror) => mirror.sheets["early-access"].map((row) => row[1]);

/** Lists the addresses with these letters, such as a@example.com. */
export const toEmails = (letters: string) => Array.from(letters, (letter) => `${letter}@example.com`);

/** Creates signups and the mirroring of a database, with a clock the test moves. */
export function createTestMirrors(database: Database, mirror: ScriptedMirror) {
  const { clock, signups, createForm } = createTestSignups(database, { mirror: mirrorQueue });
  const deps = { database, clock, newId, mirror: mirrorQueue };
  const submissions = createSubmissions(deps);
  const people = createPeople({ ...deps, personData: createPersonData(deps.database) });
  const mirrors = createMirrors({ ...deps, wake: () => undefined });
  const logged: string[] = [];
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

  async function signUp(...emails: string[]): Promise<void> {
    for (const email of emails) {
      clock.forward(1);
      const name = `Name of ${email.split("@")[0]}`;
      const signup = { name, email, company: "Acme", role: "manager" } as const;
      await signups.record("early-access", signup, createForm());
    }
  }

  async function inquire(email: string, message: string): Promise<void> {
    const name = "Grace Hopper";
    const inquiry = { name, email, inquiry_type: "support", message } as const;
    await signups.record("contact-form", inquiry, createForm());
    await signups.record("updates-signup", { name, email }, createForm());
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
