/** Reads the reports of vitest and Playwright: how many tests passed, and how long each file took. */

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
    seconds: sum(suite) / 1000,
  }));
}

/** @param {any} suite @returns {number} milliseconds */
function sum({ specs = [], suites = [] }) {
  let total = 0;
  for (const { tests } of specs)
    for (const { results } of tests) for (const { duration } of results) total += duration;
  for (const inner of suites) total += sum(inner);
  return total;
}
