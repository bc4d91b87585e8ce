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
    times: report.testResults.map((/** @type {any} */ { name, startTime, endTime }) => ({
      file: name,
      seconds: (endTime - startTime) / 1000,
    })),
    failures: report.testResults.flatMap((/** @type {any} */ { name, status, assertionResults }) => {
      const failed = assertionResults.filter((/** @type {any} */ test) => test.status === "failed");
      if (failed.length === 0) return status === "failed" ? [name] : [];
      return failed.map((/** @type {any} */ { fullName }) => `${name}: ${fullName}`);
    }),
  };
}

/**
 * A file's time is the sum of its tests in all projects.
 * @param {any} report of Playwright's json reporter
 * @returns {Summary}
 */
export function summarizePlaywright({ stats, suites, config }) {
  const files = suites.map((/** @type {any} */ suite) => ({
    file: `${config.rootDir}/${suite.file}`,
    specs: listSpecs(suite),
  }));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    times: files.map((/** @type {any} */ { file, specs }) => ({
      file,
      seconds: specs
        .flatMap((/** @type {any} */ { tests }) => tests)
        .flatMap((/** @type {any} */ { results }) => results)
        .reduce((/** @type {number} */ total, /** @type {any} */ { duration }) => total + duration / 1000, 0),
    })),
    failures: files.flatMap((/** @type {any} */ { file, specs }) =>
      specs.flatMap((/** @type {any} */ { title, tests }) =>
        tests
          .filter((/** @type {any} */ { status }) => status === "unexpected" || status === "flaky")
          .map((/** @type {any} */ { projectName }) => `${file}: ${title} (${projectName})`),
      ),
    ),
  };
}

/** @param {any} suite @returns {any[]} its specs and those of its inner suites */
function listSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(listSpecs)];
}
