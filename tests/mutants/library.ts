import type { Fault } from "./fault.ts";

/** Faults in the pure helpers and in the database's grouping of writes. */
export const libraryFaults: Readonly<Record<string, Fault>> = {
  "a new key of a full queue is refused although another key has as many places": {
    file: "app/lib/fair-queue.ts",
    find: "if (share <= largestShare) continue;",
    replace: "if (share < largestShare) continue;",
  },
  "a password with an @ is masked only up to it": {
    file: "app/lib/mask-secrets.ts",
    find: `word.lastIndexOf("@")`,
    replace: `word.indexOf("@")`,
  },
  "only the first quote of a cell is doubled": {
    file: "app/lib/csv.ts",
    find: `harmless.replaceAll('"', '""')`,
    replace: `harmless.replace('"', '""')`,
  },
  "a link in full-width characters passes as a name": {
    file: "app/lib/safe-name.ts",
    find: `name.normalize("NFKC")`,
    replace: `name.normalize("NFC")`,
  },
  "each subnet of an IPv6 household has a limit of its own": {
    file: "app/lib/network-address.ts",
    find: "cut(parsed, 64)",
    replace: "cut(parsed, 80)",
  },
  "half of a surrogate pair is stored": {
    file: "app/lib/clean-text.ts",
    find: ".toWellFormed()",
  },
  "31 February is accepted as 3 March": {
    file: "app/lib/utc-day.ts",
    find: "Number.isNaN(at) || utcDay(at) !== day",
    replace: "Number.isNaN(at)",
  },
  "a failed write fails the others of its group": {
    file: "app/db/group-commit.server.ts",
    find: "else for (const piece of group) await this.#commit([piece]);",
    replace: "else for (const piece of group) piece.reject(error);",
    tests: "tests/contracts/database.test.ts",
  },
};
