import { libraryFaults } from "./library.ts";
import { routeFaults } from "./routes.ts";
import { serverFaults } from "./server.ts";
import { serviceFaults } from "./services.ts";

export const FAULTS = [...serviceFaults, ...libraryFaults, ...serverFaults, ...routeFaults].map((fault) => ({
  ...fault,
  replace: fault.replace ?? "",
  tests: fault.tests ?? fault.file.replace(/\.(tsx?)$/, ".test.$1"),
}));
