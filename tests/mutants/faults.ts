import type { Fault } from "./fault.ts";
import { libraryFaults } from "./library.ts";
import { routeFaults } from "./routes.ts";
import { serverFaults } from "./server.ts";
import { serviceFaults } from "./services.ts";

export const FAULTS: readonly Fault[] = [...serviceFaults, ...libraryFaults, ...serverFaults, ...routeFaults];
