import type { Database } from "~/db/database.server";
import { storeSubmissions } from "../factories/submissions";

/**
 * Adds `count` early access signups without the form, because thousands of posts would take minutes.
 * @returns the addresses.
 */
export async function addSubscribers(database: Database, count: number): Promise<string[]> {
  const people = Array.from({ length: count }, (_, index) => ({
    name: `Person ${index + 1}`,
    email: `person-${index + 1}@list.test`,
    created_at: Date.now(),
  }));
  await storeSubmissions(database, people);
  return people.map(({ email }) => email);
}
