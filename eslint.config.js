import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

/** Import direction (docs/architecture.md): routes -> services -> ports <- drivers; components -> lib; lib -> nothing. */
const direction = (files, patterns, ignores = [], paths = []) => ({
  files,
  ignores: ["**/*.test.*", ...ignores],
  rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns, paths }] },
});
const ban = (group, message) => ({ group, message });

const STORAGE = ban(
  ["kysely", "better-sqlite3", "pg", "~/db", "~/db/*"],
  "Only services speak to the database.",
);
const VENDORS = ban(
  [
    "nodemailer",
    "nodemailer/*",
    "@node-rs/*",
    "web-push",
    "firebase-admin",
    "firebase-admin/*",
    "systeminformation",
    "@redis/*",
    "googleapis",
    "googleapis/**",
    "google-auth-library",
    "@google-cloud/*",
  ],
  "Vendor packages belong in a driver.",
);
const ENVIRONMENT = ban(
  ["**/env.server", "**/env.server.ts"],
  "Only the composition root reads the environment.",
);
const ROUTES = ban(["~/routes/*", "**/routes/*"], "Imports point inward: nothing below a route imports one.");
const SERVICES = ban(["~/services/*", "**/services/*"], "This layer must not know the services.");
const COMPONENTS = ban(["~/components/*"], "This layer must not know the components.");
const DRIVERS = ban(["**/drivers/*"], "Only the container and composition/ know drivers.");
const REDIRECT = {
  name: "@remix-run/node",
  importNames: ["redirect"],
  message: "Use seeOther from ~/http/redirects.server.",
};
const WEB = ban(
  ["@remix-run/*", "react", "react-dom"],
  "Services and drivers know nothing of requests or React.",
);

export default ts.config(
  { ignores: ["build/", "node_modules/", "data/", ".cache/", "test-results/", "playwright-report/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
      },
    },
    rules: {
      "no-undef": "off",
      eqeqeq: "error",
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-restricted-syntax": [
        "error",
        {
          selector: ":matches(:function, TSFunctionType) > Identifier.params[name='has']",
          message: "Call the dependencies of a function `deps`.",
        },
        {
          selector:
            ":matches(SpreadElement, JSXSpreadAttribute) > :matches(ObjectExpression, ArrayExpression)",
          message:
            "Write a literal out, one property or element a line; spread only what has a name or a condition.",
        },
      ],
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "env",
          message: "app/env.server.ts is the only reader of the environment.",
        },
      ],
    },
  },
  {
    files: ["app/**/*.tsx", "app/**/use-*.ts"],
    plugins: { "react-hooks": reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  direction(["app/lib/**"], [ban(["~/*", "../*"], "lib imports nothing of ours.")]),
  direction(["app/components/**"], [STORAGE, VENDORS, ENVIRONMENT, ROUTES, SERVICES]),
  direction(["app/routes/**"], [STORAGE, VENDORS, ENVIRONMENT, DRIVERS], [], [REDIRECT]),
  direction(["app/api/**"], [STORAGE, VENDORS, ENVIRONMENT, DRIVERS, ROUTES, COMPONENTS]),
  direction(["app/db/**"], [ENVIRONMENT, ROUTES, SERVICES, COMPONENTS, WEB]),
  direction(
    ["app/services/**"],
    [ENVIRONMENT, ROUTES, COMPONENTS, DRIVERS, WEB, VENDORS],
    [
      "app/services/container.server.ts",
      "app/services/composition/**",
      "app/services/*/drivers/**",
      "app/services/access/**",
    ],
  ),
  direction(["app/services/access/**"], [ENVIRONMENT, ROUTES, COMPONENTS, DRIVERS, VENDORS]),
  direction(
    ["app/services/*/drivers/**"],
    [
      ENVIRONMENT,
      ROUTES,
      COMPONENTS,
      WEB,
      ban(["**/*.use-cases.server", "**/use-cases.server"], "Drivers never import services."),
    ],
  ),
  {
    files: ["scripts/**", "tests/**", "server/**/*.test.*", "*.config.*", "app/env.server.ts"],
    rules: { "no-console": "off", "no-restricted-properties": "off" },
  },
  {
    files: ["**/*.test.*", "tests/**"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off", "no-empty-pattern": "off" },
  },
);
