import type { Fault } from "./fault.ts";

/** Faults in the pure helpers and in the database's grouping of writes. */
export const libraryFaults: readonly Fault[] = [
  {
    name: "a newcomer to a full queue loses to a key that had and wants just as much",
    file: "app/lib/fair-queue.ts",
    find: "if (share <= most) continue;",
    replace: "if (share < most) continue;",
    tests: "app/lib/fair-queue.test.ts",
  },
  {
    name: "a password with an @ is masked as far as that",
    file: "app/lib/mask-secrets.ts",
    find: `word.lastIndexOf("@")`,
    replace: `word.indexOf("@")`,
    tests: "app/lib/mask-secrets.test.ts",
  },
  {
    name: "only the first quote of a cell is doubled",
    file: "app/lib/csv.ts",
    find: `harmless.replaceAll('"', '""')`,
    replace: `harmless.replace('"', '""')`,
    tests: "app/lib/csv.test.ts",
  },
  {
    name: "a link in full-width letters is taken for a name",
    file: "app/lib/safe-name.ts",
    find: `name.normalize("NFKC")`,
    replace: `name.normalize("NFC")`,
    tests: "app/lib/safe-name.test.ts",
  },
  {
    name: "each network of a household has a limit of its own",
    file: "app/lib/network-address.ts",
    find: ".slice(0, 4)",
    replace: ".slice(0, 5)",
    tests: "app/lib/network-address.test.ts",
  },
  {
    name: "half a surrogate pair is stored",
    file: "app/lib/clean-text.ts",
    find: ".toWellFormed()",
    replace: "",
    tests: "app/lib/clean-text.test.ts",
  },
  {
    name: "31 February is 3 March",
    file: "app/lib/utc-day.ts",
    find: "Number.isNaN(at) || utcDay(at) !== day",
    replace: "Number.isNaN(at)",
    tests: "app/lib/utc-day.test.ts",
  },
  {
    name: "a write that fails takes along those committed together with it",
    file: "app/db/group-commit.server.ts",
    find: "else for (const piece of group) await this.#commit([piece]);",
    replace: "else for (const piece of group) piece.reject(error);",
    tests: "tests/contracts/database.test.ts",
  },
];
