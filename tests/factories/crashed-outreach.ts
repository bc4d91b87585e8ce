import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import { accepted, neverSettles } from "../fakes/scripted-mailer";
import { createMortalDatabase } from "./mortal-database";
import { createTestOutreach, people, signUp, setImmediateTimer, waitUntil } from "./outreach";

/** Starts a campaign to seven people and kills its process while the first three deliveries are in flight. */
export async function crashInFlight(database: Database) {
  await signUp(database, people(7));
  const world = createTestOutreach(database, () => neverSettles);
  const campaignId = await world.confirmed();
  const { victim, kill } = createMortalDatabase(database);
  const crashing = world.dispatcher({ concurrency: 3, database: victim, setTimer: setImmediateTimer }).tick();
  await waitUntil(() => world.mailer.received.length === 3);
  kill();
  await expect(crashing).rejects.toThrow("killed");
  expect(await world.getStats(campaignId)).toMatchObject({ selected: 7, inFlight: 3, pending: 7 });
  world.mailer.script = () => accepted;
  return { ...world, campaignId };
}
