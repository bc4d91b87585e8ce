import type { Environment } from "~/env.server";

/**
 * One question to a product that is to be served to the public (`npm run check:deploy`, hardening C34): a pure function of
 * what was found out. Its id is stable, because people name it in their notes.
 */
export interface DeployCheck {
  readonly id: string;
  /** What trouble means: an error stops a deployment, a warning is for a person to decide. */
  readonly severity: "error" | "warning";
  check(facts: DeployFacts): Verdict;
}

export interface Verdict {
  readonly is: "ok" | "trouble" | "not-applicable";
  /** What holds, what to do, or why it is not asked. */
  readonly sentence: string;
}

export const ok = (sentence: string): Verdict => ({ is: "ok", sentence });
export const trouble = (sentence: string): Verdict => ({ is: "trouble", sentence });
export const notApplicable = (sentence: string): Verdict => ({ is: "not-applicable", sentence });

/** What the checks look at. Nothing of it is a judgement; whatever could not be found out is undefined or says so. */
export interface DeployFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: Environment;
  /** What the product takes for its address. */
  readonly origin: string;
  /** The Set-Cookie a login would answer with. */
  readonly sessionCookie: string;
  /** Undefined when it was not asked. */
  readonly answerAtOrigin: OriginAnswer | undefined;
  readonly database: DatabaseFacts;
  readonly dataFolder: DataFolderFacts;
  readonly backups: BackupFacts;
  /** Of the domain in MAIL_FROM; undefined when DNS did not answer. */
  readonly mailDomain: { readonly hasSpf: boolean | undefined; readonly hasDmarc: boolean | undefined };
  /** Undefined without REDIS_URL. */
  readonly redis: { readonly trouble: string | undefined } | undefined;
  /** Undefined when it cannot be read. */
  readonly googleKeyFile: { readonly mode: number; readonly isServiceAccount: boolean } | undefined;
  readonly program: ProgramFacts;
}

export interface OriginAnswer {
  /** Why nothing came, in the network's words. */
  readonly trouble?: string;
  /** Of /healthz. */
  readonly status?: number;
  /** How far its clock is ahead of ours, in milliseconds, to the second. */
  readonly clockAheadMs?: number | undefined;
  /** Where the same address without TLS leads: undefined when nobody answers there. */
  readonly plainHttp?: { readonly status: number; readonly location: string } | undefined;
}

export type DatabaseFacts =
  | { readonly kind: "none" }
  | { readonly kind: "away"; readonly trouble: string }
  | {
      readonly kind: "there";
      /** Why a write failed; undefined when it worked (it was taken back). */
      readonly writeTrouble: string | undefined;
      /** Names of those applied, and of those this build knows. */
      readonly applied: readonly string[];
      readonly known: readonly string[];
      /** Undefined with SQLite: it has the clock of this machine. */
      readonly clockAheadMs: number | undefined;
      /** Empty when they could not be read, as with tables of another version. */
      readonly accounts: readonly AccountFacts[];
      /** Names of those that measured the same minute, of the last few: none when there is one at most. */
      readonly instances: readonly string[];
    };

export interface AccountFacts {
  readonly email: string;
  readonly role: "admin" | "superadmin";
  readonly hasTemporaryPassword: boolean;
  /** The password is the one in SUPERADMIN_PASSWORD. */
  readonly hasGivenPassword: boolean;
  readonly hasSecondFactor: boolean;
}

export interface DataFolderFacts {
  readonly path: string;
  /** The kernel's name of it; undefined where that is not told. */
  readonly fileSystem: string | undefined;
  /** What others than the owner may read or write, with its mode; undefined when it was not looked at. */
  readonly openToOthers: readonly { readonly path: string; readonly mode: number }[] | undefined;
  /** Bytes; undefined when they are not told. */
  readonly free: number | undefined;
}

export interface BackupFacts {
  readonly folder: string;
  /** When the newest whole one was begun. */
  readonly newestAt: number | undefined;
  /** Whether the folder is on the same disk as DATA_DIR; undefined when it is not there. */
  readonly isOnSameDisk: boolean | undefined;
  /** PostgreSQL's client programs are here. */
  readonly hasTools: boolean;
}

export interface ProgramFacts {
  /** "24.21.0": of the Node that runs, and of the one package.json pins. */
  readonly node: string;
  readonly pinnedNode: string;
  readonly build: "missing" | "stale" | "current" | "unknown";
  /** Of package.json, not followed by the lockfile: "name version". */
  readonly overridesMissing: readonly string[];
  /** How many files may be open; undefined where that is not told. */
  readonly openFiles: number | undefined;
  readonly isRoot: boolean;
  /** Of .env; undefined when there is none. */
  readonly envFileMode: number | undefined;
}
