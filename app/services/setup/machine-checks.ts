import { seconds } from "~/lib/durations";
import { grouped } from "~/lib/format-number";
import {
  notApplicable,
  ok,
  problem,
  errorCheck,
  warningCheck,
  slowErrorCheck,
  slowWarningCheck,
  type SetupCheck,
} from "./setup-check";

/** The last day of each major's long-term support: https://github.com/nodejs/release#release-schedule */
const END_OF_LIFE: Readonly<Record<string, string>> = {
  20: "2026-04-30",
  22: "2027-04-30",
  24: "2028-04-30",
};
/** Clock skew that signatures of bounces, Google's tokens and two-factor codes tolerate. */
const MAX_CLOCK_SKEW_MS = seconds(60);
/** Enough for the connections of the server and its upstreams, with a margin. */
const MIN_OPEN_FILES = 4096;

/** Checks of the machine and the installed program. */
export const machineChecks: readonly SetupCheck[] = [
  slowErrorCheck("node-version", [], ({ program: { node, pinnedNode } }) =>
    node === pinnedNode
      ? ok(`Node is ${node}, the version package.json pins.`)
      : problem(`Node is ${node}, but ${pinnedNode} was tested: start with npm start, or change the image.`),
  ),
  slowErrorCheck("node-support", [], ({ now, program: { node } }) => {
    const last = END_OF_LIFE[node.split(".")[0] ?? ""];
    if (last === undefined) return problem(`Node ${node} has no long-term support: use a version that has.`);
    const today = new Date(now).toISOString().slice(0, 10);
    return today > last
      ? problem(`Node ${node} has received no security fixes since ${last}: update the product.`)
      : ok(`Node ${node} gets security fixes until ${last}.`);
  }),
  slowErrorCheck("overrides", [], ({ program: { overridesMissing: missing } }) =>
    missing.length === 0
      ? ok("The lockfile follows the overrides of package.json.")
      : problem(`The lockfile lacks ${missing.join(", ")}, which package.json overrides: run npm install.`),
  ),
  slowErrorCheck("clock", [], ({ originResponse, database }) => {
    const ahead = {
      "ORIGIN's": originResponse?.clockAheadMs,
      "PostgreSQL's": database.kind === "present" ? database.clockAheadMs : undefined,
    };
    const known = Object.entries(ahead).filter((entry): entry is [string, number] => entry[1] !== undefined);
    if (known.length === 0) return notApplicable("There was no other clock to compare with.");
    const off = known.find(([, ms]) => Math.abs(ms) > MAX_CLOCK_SKEW_MS);
    if (!off) return ok(`The clock agrees with ${known.map(([name]) => name).join(" and ")}.`);
    const [name, ms] = off;
    const side = ms > 0 ? "behind" : "ahead of";
    return problem(
      `The clock is ${grouped(Math.round(Math.abs(ms) / seconds(1)))} s ${side} ${name}: synchronize it by NTP.`,
    );
  }),
  slowWarningCheck("open-files", [], ({ program: { openFiles } }) => {
    if (openFiles === undefined) return notApplicable("This system does not report its limit of open files.");
    return openFiles >= MIN_OPEN_FILES
      ? ok(`${openFiles === Infinity ? "Any number of" : grouped(openFiles)} files may be open.`)
      : problem(
          `Only ${openFiles} files may be open, and each connection needs one: set ulimit -n ${MIN_OPEN_FILES} or more.`,
        );
  }),
  errorCheck("node-env", ["NODE_ENV"], ({ settings: { NODE_ENV } }) =>
    NODE_ENV === "production"
      ? ok("NODE_ENV is production.")
      : problem(`Remove NODE_ENV=${NODE_ENV}: it loosens security rules for developers.`),
  ),
  slowErrorCheck("build", [], ({ program: { build } }) => {
    if (build === "missing") return problem("There is no build: run npm run build.");
    if (build === "stale") return problem("The build is older than the sources: run npm run build.");
    if (build === "running") return ok("The server runs, from a build.");
    return ok(
      build === "current"
        ? "The build matches the sources."
        : "There is a build, made elsewhere; its sources are not here.",
    );
  }),
  slowWarningCheck("not-root", [], ({ program: { isRoot } }) =>
    isRoot
      ? problem("This runs as root: run the product as its own user, who owns DATA_DIR.")
      : ok("This runs as a user without root privileges."),
  ),
  warningCheck("log-level", ["LOG_LEVEL"], ({ settings: { LOG_LEVEL } }) =>
    LOG_LEVEL === "info" || LOG_LEVEL === "warn"
      ? ok(`LOG_LEVEL is ${LOG_LEVEL}.`)
      : problem(
          LOG_LEVEL === "debug"
            ? "Set LOG_LEVEL=info: debug is for troubleshooting."
            : `Set LOG_LEVEL=info: ${LOG_LEVEL} hides requests and warnings from System Logs.`,
        ),
  ),
];
