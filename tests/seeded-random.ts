export { between, createRandom } from "~/lib/random";
export type { Random } from "~/lib/random";

/** Seed shown in the tests' names; FAULTS_SEED repeats the random choices of a run. */
export const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
