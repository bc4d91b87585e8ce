import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import { accepted, unheard } from "../fakes/scripted-mailer";
import { mortal } from "./mortal";
import { outreachOn, people, signUp, soon, until } from "./outreach";

/** Starts a campaign to seven people and kills its process while the first three deliveries are in flight. */
export async function crashedInFlight(database: Database) {
  await signUp(database, people(7));
  const world = outreachOn(database, () => unheard);
  const campaignId = await world.confirmed();
  const { victim, kill } = mortal(database);
  const crashing = world.dispatcher({ concurrency: 3, database: victim, setTimer: soon }).tick();
  await until(() => world.mailer.begun.length === 3);
  kill();
  await expect(crashing).rejects.toThrow("killed");
  expect(await world.book(campaignId)).toMatchObject({ selected: 7, inFlight: 3, pending: 7 });
  world.mailer.script = () => accepted;
  return { ...world, campaignId };
}
