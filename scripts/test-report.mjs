/** Reads the reports of vitest and Playwright: how many tests passed, which failed, and how long each file took. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ file: string, seconds: number }} FileTime */

/** @param {any} report of vitest's json reporter @returns {Counts} */
export function countVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** @param {any} report of Playwright's json reporter @returns {Counts} */
export function countPlaywright({ stats }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/** @param {any} report of vitest's json reporter @returns {string[]} a line for each test that failed */
export function listVitestFailures({ testResults }) {
  return testResults.flatMap((/** @type {any} */ { name: file, status, assertionResults }) => {
    const failed = assertionResults.filter((/** @type {any} */ test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [file] : [];
    return failed.map((/** @type {any} */ { fullName }) => `${file}: ${fullName}`);
  });
}

/** @param {any} report of Playwright's json reporter @returns {string[]} a line for each journey that failed */
export function listPlaywrightFailures({ suites, config }) {
  return suites.flatMap((/** @type {any} */ suite) =>
    listSpecs(suite).flatMap(({ title, tests }) =>
      tests
        .filter((/** @type {any} */ { status }) => status === "unexpected" || status === "flaky")
        .map(
          (/** @type {any} */ { projectName }) =>
            `${config.rootDir}/${suite.file}: ${title} (${projectName})`,
        ),
    ),
  );
}

/**
 * @param {any} report of vitest's json reporter
 * @returns {FileTime[]} from the beginning of a file's first test to the end of its last
 */
export function timeVitest(report) {
  return report.testResults.map((/** @type {any} */ { name, startTime, endTime }) => ({
    file: name,
    seconds: (endTime - startTime) / 1000,
  }));
}

/**
 * @param {any} report of Playwright's json reporter
 * @returns {FileTime[]} all journeys of a file together, in all its projects
 */
export function timePlaywright(report) {
  return report.suites.map((/** @type {any} */ suite) => ({
    file: `${report.config.rootDir}/${suite.file}`,
    seconds: listSpecs(suite)
      .flatMap(({ tests }) => tests)
      .flatMap(({ results }) => results)
      .reduce((total, { duration }) => total + duration / 1000, 0),
  }));
}

/** @param {any} suite @returns {any[]} its specs and those of its inner suites */
function listSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(listSpecs)];
}
