import { libraryFaults } from "./library.ts";
import { routeFaults } from "./routes.ts";
import { serverFaults } from "./server.ts";
import { serviceFaults } from "./services.ts";

const faults = { ...serviceFaults, ...libraryFaults, ...serverFaults, ...routeFaults };

export const FAULTS = Object.entries(faults).map(([name, fault]) => ({
  ...fault,
  name,
  replace: fault.replace ?? "",
  tests: fault.tests ?? fault.file.replace(/\.(tsx?)$/, ".test.$1"),
}));
