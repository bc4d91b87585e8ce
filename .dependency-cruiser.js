import { readdirSync } from "node:fs";

/**
 * The direction of imports: each row says what a folder may import of ours (docs/architecture.md has the same table).
 */
const TEST = "[.]test[.]tsx?$";
const OURS = "^(app|server|scripts|tests)/";
const COMPOSITION = "^app/services/(composition/|container[.]server[.]ts$)";
const DRIVERS = "^app/services/[^/]+/drivers/";
const ACCESS = "^app/services/access/";
/** It judges the environment and asks the upstreams of the drivers. */
const SETUP = "^app/services/setup/";
const SERVER_FILE = "[.]server[.]tsx?$";
const PATHS = "^app/paths[.]ts$";
const ENVIRONMENT = "^app/env[.]server[.]ts$";
const BRIDGE = "^server/bridge[.]ts$";
/** A service or a port, which is neither composition nor a driver. */
const SERVICES = "^app/services/(?!composition/|container[.]server[.]ts$|[^/]+/drivers/)";
const PURE_SERVICES = `${SERVICES}(?!.*${SERVER_FILE})`;
const ASSETS = "^app/(fonts|images)/|[.](css|svg)$";

const STORAGE = "node_modules/(kysely|better-sqlite3|pg)/";
const VENDORS =
  "node_modules/(nodemailer|@node-rs|web-push|firebase-admin|systeminformation|@redis|googleapis|google-auth-library|@google-cloud)/";
const WEB = "node_modules/(@remix-run|react|react-dom)/";

const ban = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
/** A row of the table: what is in `path` imports nothing of ours but what `allowed` lists. */
const layer = (name, comment, path, allowed, pathNot = []) =>
  ban(name, comment, { path, pathNot: [TEST, ...pathNot] }, { path: OURS, pathNot: allowed });
/** A row with folders of which only types are imported. */
const layerWithTypes = (name, comment, path, allowed, types) => {
  const row = layer(name, comment, path, allowed);
  return [
    { ...row, to: { ...row.to, dependencyTypesNot: ["type-only"] } },
    layer(`${name}-types`, comment, path, [...allowed, ...types]),
  ];
};

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ban("no-circles", "Not even of types.", {}, { circular: true }),
    ban("no-missing-modules", "An import names a module that exists.", {}, { couldNotResolve: true }),

    layer("lib", "Pure helpers import nothing of ours.", "^app/lib/", ["^app/lib/"]),
    layer("paths", "Addresses import nothing of ours.", PATHS, []),
    ...layerWithTypes(
      "content",
      "Sentences translate the codes of services.",
      "^app/content/",
      ["^app/(content|lib)/", PURE_SERVICES],
      ["^app/db/", SERVICES],
    ),
    layer(
      "components-ui",
      "shadcn/ui's parts know nothing of the product, but its hooks.",
      "^app/components/ui/",
      ["^app/components/(ui/|use-)", "^app/lib/"],
    ),
    layer("components", "Composed components.", "^app/components/(?!ui/)", [
      "^app/(components|content|http|lib)/",
      PATHS,
      ASSETS,
    ]),
    layer("emails", "What emails say.", "^app/emails/", ["^app/(emails|content|lib)/", SERVICES]),
    layer("http", "What routes share.", "^app/http/", ["^app/(http|content|lib)/", PATHS, SERVICES, BRIDGE]),
    layer("discovery", "Metadata, without request or environment.", "^app/discovery/", [
      "^app/(discovery|content|lib)/",
      PATHS,
      ASSETS,
    ]),
    layer("routes", "Screens.", "^app/routes/", [
      "^app/(routes|components|http|content|discovery|lib|api)/",
      PATHS,
      ASSETS,
      SERVICES,
      "^app/services/container[.]server[.]ts$",
    ]),
    // One rule a route, because names like `admin.people.$id` do not work as a captured group.
    ...readdirSync("app/routes").map((route) =>
      ban(
        "no-route-imports-a-route",
        "Shared parts are components, or belong to http or a service.",
        { path: `^app/routes/${RegExp.escape(route)}/` },
        { path: "^app/routes/", pathNot: `^app/routes/${RegExp.escape(route)}/` },
      ),
    ),
    layer("api", "Calls of the API.", "^app/api/", [
      "^app/(api|emails|http|content|lib)/",
      PATHS,
      SERVICES,
      "^app/services/container[.]server[.]ts$",
    ]),
    layer(
      "services",
      "Use cases, ports and rules return codes and values; screens and emails make sentences.",
      SERVICES,
      [`${SERVICES}(?!access/)`, "^app/(db|lib)/"],
      [ACCESS, SETUP],
    ),
    layer("setup", "Deployment checks.", SETUP, [
      SERVICES,
      DRIVERS,
      ENVIRONMENT,
      "^app/services/composition/foundation[.]",
      "^app/(db|lib)/",
    ]),
    layer("access", "Login and guards of routes.", ACCESS, [
      SERVICES,
      "^app/lib/",
      "^app/http/redirects",
      PATHS,
    ]),
    layer("drivers", "A driver implements a port.", DRIVERS, [
      DRIVERS,
      `${SERVICES}(?!access/)`,
      "^app/(db|lib)/",
    ]),
    layer("db", "Connection, dialects, tables, migrations.", "^app/db/", ["^app/(db|lib)/"]),
    ...layerWithTypes(
      "composition",
      "Builds services from the environment and drivers.",
      COMPOSITION,
      ["^app/(services|emails|http|api|db|content|lib)/", PATHS, ENVIRONMENT],
      ["^server/"],
    ),
    layer("environment", "Settings, with the rules their values follow.", ENVIRONMENT, [
      "^app/lib/",
      PURE_SERVICES,
    ]),
    layer("server", "The guard. Its workers have the database.", "^server/(?!workers/|fixtures/)", [
      "^server/",
      "^app/lib/",
      PATHS,
      ENVIRONMENT,
    ]),
    layer("server-workers", "Threads.", "^server/workers/", [
      "^server/",
      "^app/(db|lib|services/imports)/",
      "^app/services/service-deps[.]ts$",
      "^scripts/vite-imports[.]ts$",
    ]),
    layer("scripts", "Commands.", "^scripts/", ["^(scripts|app|server)/"]),

    ban(
      "environment-has-one-reader",
      "Only the composition, the guard and commands read the environment.",
      { path: "^app/", pathNot: [TEST, COMPOSITION, SETUP, ENVIRONMENT] },
      { path: ENVIRONMENT },
    ),
    ban(
      "storage",
      "Only services speak to the database.",
      { path: "^app/(lib|content|components|http|discovery|routes|api)/", pathNot: TEST },
      { path: STORAGE },
    ),
    ban(
      "vendors",
      "Vendor packages belong in a driver.",
      { path: "^app/", pathNot: [TEST, DRIVERS, COMPOSITION] },
      { path: VENDORS },
    ),
    ban(
      "services-know-no-requests",
      "Services, drivers and the database know nothing of requests or React.",
      { path: "^app/(services|db)/", pathNot: [TEST, ACCESS, COMPOSITION] },
      { path: WEB },
    ),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types count as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
    },
  },
};
