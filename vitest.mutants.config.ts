import config from "./vitest.config";

/** Tests of the services that npm run test:mutants changes. Stryker runs one project only. */
const { projects: _projects, ...test } = config.test ?? {};
export default {
  ...config,
  test: {
    ...test,
    include: [
      "app/services/{access,mail,mail/delivery,queue,submissions}/*.test.ts",
      "tests/contracts/{access,authenticator,queue,submission-plans,submission-tables}.test.ts",
      "tests/contracts/outreach-delivery.test.ts",
    ],
    env: { TEST_DIALECT: "sqlite" },
    setupFiles: ["tests/quick-hashing.mjs", "tests/fail-on-console-error.ts"],
    globalSetup: "tests/contracts/templates.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
};
