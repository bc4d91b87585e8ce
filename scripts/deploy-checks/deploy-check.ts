import type { Environment } from "~/env.server";

/**
 * A check of a public deployment (`npm run check:deploy`, hardening C34): a pure function of the collected facts.
 * Its id is stable, because people refer to it in their notes.
 */
export interface DeployCheck {
  readonly id: string;
  /** The severity of a failed check: an error stops a deployment, a warning is for a person to decide. */
  readonly severity: "error" | "warning";
  check(facts: DeployFacts): Verdict;
}

export interface Verdict {
  readonly outcome: "ok" | "problem" | "not applicable";
  /** The result, what to do, or why it was skipped. */
  readonly sentence: string;
}

type Check = DeployCheck["check"];
export const errorCheck = (id: string, check: Check): DeployCheck => ({ id, severity: "error", check });
export const warningCheck = (id: string, check: Check): DeployCheck => ({ id, severity: "warning", check });

export const ok = (sentence: string): Verdict => ({ outcome: "ok", sentence });
export const problem = (sentence: string): Verdict => ({ outcome: "problem", sentence });
export const notApplicable = (sentence: string): Verdict => ({ outcome: "not applicable", sentence });

/** The facts that the checks look at; an unknown one is undefined or says so. */
export interface DeployFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: Environment;
  /** The origin that the product uses for its links. */
  readonly origin: string;
  /** The Set-Cookie header of a login. */
  readonly sessionCookie: string;
  /** Undefined when it was not requested. */
  readonly originResponse: OriginResponse | undefined;
  readonly database: DatabaseFacts;
  readonly dataFolder: DataFolderFacts;
  readonly backups: BackupFacts;
  /** The records of MAIL_FROM's domain; undefined when DNS did not answer. */
  readonly mailDomain: { readonly hasSpf: boolean | undefined; readonly hasDmarc: boolean | undefined };
  /** Undefined without REDIS_URL. */
  readonly redis: { readonly problem: string | undefined } | undefined;
  /** Undefined when it cannot be read. */
  readonly googleKeyFile: { readonly mode: number; readonly isServiceAccount: boolean } | undefined;
  readonly program: {
    /** "24.21.0": the version of the running Node, and of the one package.json pins. */
    readonly node: string;
    readonly pinnedNode: string;
    readonly build: "missing" | "stale" | "current" | "unknown";
    /** Overrides of package.json that the lockfile does not follow: "name version". */
    readonly overridesMissing: readonly string[];
    /** The open files limit; undefined where it is unknown. */
    readonly openFiles: number | undefined;
    readonly isRoot: boolean;
    /** The mode of .env; undefined when there is none. */
    readonly envFileMode: number | undefined;
  };
}

export interface OriginResponse {
  /** The network's error message, without a response. */
  readonly problem?: string;
  /** The status of /healthz. */
  readonly status?: number;
  /** How far its clock is ahead of ours, in milliseconds, accurate to the second. */
  readonly clockAheadMs?: number | undefined;
  /** The response of the same host without TLS; undefined without one. */
  readonly plainHttp?: { readonly status: number; readonly location: string } | undefined;
}

export type DatabaseFacts =
  | { readonly kind: "none" }
  | { readonly kind: "unreachable"; readonly problem: string }
  | {
      readonly kind: "present";
      /** The error of a test write; undefined when it worked (it was rolled back). */
      readonly writeProblem: string | undefined;
      /** Names of the applied migrations, and of those this build knows. */
      readonly applied: readonly string[];
      readonly known: readonly string[];
      /** Undefined with SQLite: it has the clock of this machine. */
      readonly clockAheadMs: number | undefined;
      /** Empty when they could not be read, as with tables of another version. */
      readonly accounts: readonly AccountFacts[];
      /**
       * Names of the instances that measured the same minute, within the last few; empty with one instance at most.
       */
      readonly instances: readonly string[];
    };

export interface AccountFacts {
  readonly email: string;
  readonly role: "admin" | "superadmin";
  readonly hasTemporaryPassword: boolean;
  /** Whether the password is still the one in SUPERADMIN_PASSWORD. */
  readonly hasEnvironmentPassword: boolean;
  readonly hasSecondFactor: boolean;
}

export interface DataFolderFacts {
  readonly path: string;
  /** The kernel's name of the file system; undefined where it is unknown. */
  readonly fileSystem: string | undefined;
  /** Paths that others than the owner may read or write, with their modes; undefined when not checked. */
  readonly openToOthers: readonly { readonly path: string; readonly mode: number }[] | undefined;
  /** Free bytes; undefined when unknown. */
  readonly free: number | undefined;
}

export interface BackupFacts {
  readonly folder: string;
  /** The start time of the newest complete backup. */
  readonly newestAt: number | undefined;
  /** Whether the folder is on the same disk as DATA_DIR; undefined when it is not there. */
  readonly isOnSameDisk: boolean | undefined;
  /** Whether PostgreSQL's client programs are installed. */
  readonly hasTools: boolean;
}
