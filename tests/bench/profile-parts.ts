import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A profile as V8 writes it; times are microseconds of the system's monotonic clock. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const APPLICATION = /\/build\/server\//;
const SQLITE = "SQLite, waiting for the disk included";
const REST = "the rest of Node";

/** The parts of a request, by the file of a function, or by V8's name of what is no function. */
const PARTS: readonly (readonly [part: string, pattern: RegExp])[] = [
  ["our own code and Kysely", APPLICATION],
  ["the guard", /\/server\/[^?]*\.ts$/],
  ["Remix", /\/node_modules\/(@remix-run|undici|turbo-stream)\//],
  ["Express and its middleware", /\/node_modules\//],
  ["Node's HTTP", /^node:(_http|net|internal\/stream_base)/],
  ["garbage collection", /^\(garbage collector\)$/],
];

/** Returns the environment variable with which a server writes a profile of itself into a folder when it stops. */
export const profileInto = (folder: string) => ({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` });

/**
 * Reads each part's share of the busy time of a profiled server's main thread. A moment belongs to the innermost
 * function that belongs to a part.
 * @param window in milliseconds of the system's monotonic clock.
 */
export function readShares(folder: string, window: { from: number; to: number }): Map<string, number> {
  // Worker threads, which have other numbers than 0, write profiles of their own.
  const file = readdirSync(folder).find((name) => /\.0\.\d+\.cpuprofile$/.test(name)) ?? "";
  const profile = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const getPart = (sample: number): string => {
    const { functionName = "", url = "" } = frames.get(sample) ?? {};
    // A native function's time is its caller's own, and this is what calls better-sqlite3.
    if (functionName === "executeQuery" && APPLICATION.test(url)) return SQLITE;
    for (let id: number | undefined = sample; id !== undefined; id = callers.get(id)) {
      const frame = frames.get(id);
      const found = PARTS.find(([, pattern]) => pattern.test(frame?.url || frame?.functionName || ""));
      if (found) return found[0];
    }
    return REST;
  };
  const parts = new Map([SQLITE, ...PARTS.map(([part]) => part), REST].map((part) => [part, 0]));
  let busy = 0;
  let at = profile.startTime / 1000;
  for (const [index, sample] of profile.samples.entries()) {
    const ms = (profile.timeDeltas[index] ?? 0) / 1000;
    at += ms;
    if (at < window.from || at > window.to || frames.get(sample)?.functionName === "(idle)") continue;
    const part = getPart(sample);
    parts.set(part, (parts.get(part) ?? 0) + ms);
    busy += ms;
  }
  return new Map([...parts].map(([part, ms]) => [part, ms / busy]));
}
