export { between, createRandom } from "~/lib/random";
export type { Random } from "~/lib/random";

/** Shown in the tests' names; FAULTS_SEED repeats a run's moments. */
export const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
