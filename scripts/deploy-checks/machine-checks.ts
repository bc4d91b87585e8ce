import { seconds } from "~/lib/durations";
import { grouped } from "~/lib/format-number";
import type { DeployCheck } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";

/** The last day of each major's long-term support: https://github.com/nodejs/release#release-schedule */
const END_OF_LIFE: Readonly<Record<string, string>> = {
  20: "2026-04-30",
  22: "2027-04-30",
  24: "2028-04-30",
};
/** Clock skew that signatures of bounces, Google's tokens and two-factor codes tolerate. */
const CLOCK_PATIENCE = seconds(60);
/** Enough for the connections of the server and its upstreams, with a margin. */
const FEWEST_FILES = 4096;

/** Checks of the machine and the installed program. */
export const machineChecks: readonly DeployCheck[] = [
  {
    id: "node-version",
    severity: "error",
    check: ({ program: { node, pinnedNode } }) =>
      node === pinnedNode
        ? ok(`Node is ${node}, as package.json pins it.`)
        : trouble(
            `Node is ${node} and was tested as ${pinnedNode}: start with npm start, or change the image.`,
          ),
  },
  {
    id: "node-support",
    severity: "error",
    check: ({ now, program: { node } }) => {
      const last = END_OF_LIFE[node.split(".")[0] ?? ""];
      if (last === undefined) return trouble(`Node ${node} has no long-term support: use one that has.`);
      const today = new Date(now).toISOString().slice(0, 10);
      return today > last
        ? trouble(`Node ${node} gets no security fixes since ${last}: bring the product up to date.`)
        : ok(`Node ${node} gets security fixes until ${last}.`);
    },
  },
  {
    id: "overrides",
    severity: "error",
    check: ({ program: { overridesMissing: missing } }) =>
      missing.length === 0
        ? ok("The lockfile follows the overrides of package.json.")
        : trouble(`The lockfile does not have ${missing.join(", ")}, as the overrides say: run npm install.`),
  },
  {
    id: "clock",
    severity: "error",
    check: ({ answerAtOrigin, database }) => {
      const ahead = {
        "ORIGIN's": answerAtOrigin?.clockAheadMs,
        "PostgreSQL's": database.kind === "there" ? database.clockAheadMs : undefined,
      };
      const told = Object.entries(ahead).filter((entry): entry is [string, number] => entry[1] !== undefined);
      if (told.length === 0) return notApplicable("No other clock was there to compare with.");
      const off = told.find(([, ms]) => Math.abs(ms) > CLOCK_PATIENCE);
      if (!off) return ok(`The clock agrees with ${told.map(([whose]) => whose).join(" and ")}.`);
      const [whose, ms] = off;
      const side = ms > 0 ? "behind" : "ahead of";
      return trouble(
        `The clock is ${grouped(Math.round(Math.abs(ms) / seconds(1)))} s ${side} ${whose}: set it by NTP.`,
      );
    },
  },
  {
    id: "open-files",
    severity: "warning",
    check: ({ program: { openFiles } }) => {
      if (openFiles === undefined) return notApplicable("This system does not tell how many may be open.");
      return openFiles >= FEWEST_FILES
        ? ok(`${openFiles === Infinity ? "Any number of" : grouped(openFiles)} files may be open.`)
        : trouble(
            `Only ${openFiles} files may be open, and each visitor is one: ulimit -n ${FEWEST_FILES} or more.`,
          );
    },
  },
  {
    id: "node-env",
    severity: "error",
    check: ({ settings: { NODE_ENV } }) =>
      NODE_ENV === "production"
        ? ok("NODE_ENV is production.")
        : trouble(`Take NODE_ENV=${NODE_ENV} out: it loosens the rules of pages for developers.`),
  },
  {
    id: "build",
    severity: "error",
    check: ({ program: { build } }) => {
      if (build === "missing") return trouble("There is no build: run npm run build.");
      if (build === "stale") return trouble("The build is older than its sources: run npm run build.");
      return ok(build === "current" ? "The build is of these sources." : "There is a build, made elsewhere.");
    },
  },
  {
    id: "not-root",
    severity: "warning",
    check: ({ program: { isRoot } }) =>
      isRoot
        ? trouble("This runs as root: let the product run as a user of its own, who owns DATA_DIR.")
        : ok("This runs as a user without special rights."),
  },
  {
    id: "log-level",
    severity: "warning",
    check: ({ settings: { LOG_LEVEL } }) =>
      LOG_LEVEL === "info" || LOG_LEVEL === "warn"
        ? ok(`LOG_LEVEL is ${LOG_LEVEL}.`)
        : trouble(
            LOG_LEVEL === "debug"
              ? "Set LOG_LEVEL=info: debug is for the search of a fault."
              : `Set LOG_LEVEL=info: ${LOG_LEVEL} hides requests and warnings from System Logs.`,
          ),
  },
];
