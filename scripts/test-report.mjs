/**
 * Summaries of the reports of vitest and Playwright.
 *
 * @typedef {object} Summary
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{ file: string, seconds: number }[]} times
 * @property {string[]} failures a line for each failed test
 */

/**
 * A file's time is from the beginning of its first test to the end of its last.
 * @param {any} report of vitest's json reporter
 * @returns {Summary}
 */
export function summarizeVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    times: report.testResults.map(({ name, startTime, endTime }) => ({
      file: name,
      seconds: (endTime - startTime) / 1000,
    })),
    failures: report.testResults.flatMap(({ name, status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === "failed");
      if (failed.length === 0) return status === "failed" ? [name] : [];
      return failed.map(({ fullName }) => `${name}: ${fullName}`);
    }),
  };
}

/**
 * A file's time is the sum of its tests in all projects.
 * @param {any} report of Playwright's json reporter
 * @returns {Summary}
 */
export function summarizePlaywright({ stats, suites, config }) {
  const files = suites.map((suite) => ({
    file: `${config.rootDir}/${suite.file}`,
    specs: listSpecs(suite),
  }));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    times: files.map(({ file, specs }) => ({
      file,
      seconds: specs
        .flatMap(({ tests }) => tests)
        .flatMap(({ results }) => results)
        .reduce((total, { duration }) => total + duration / 1000, 0),
    })),
    failures: files.flatMap(({ file, specs }) =>
      specs.flatMap(({ title, tests }) =>
        tests
          .filter(({ status }) => status === "unexpected" || status === "flaky")
          .map(({ projectName }) => `${file}: ${title} (${projectName})`),
      ),
    ),
  };
}

/** @param {any} suite @returns {any[]} its specs and those of its inner suites */
function listSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(listSpecs)];
}
