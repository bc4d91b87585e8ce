/**
 * The reports of vitest and Playwright.
 *
 * @typedef {object} TestResult
 * @property {string} file its absolute path
 * @property {string} name with the titles of the groups around it
 * @property {string} [project] of Playwright
 * @property {"passed" | "failed" | "skipped"} state
 * @property {number} ms
 */

/**
 * Lists the tests of a report. A file or a group that failed by itself, as one that does not load, is one more.
 * @param {any} report of the json reporter of either
 * @returns {TestResult[]}
 */
export function listResults(report) {
  return report.testResults
    ? report.testResults.flatMap(listOfVitest)
    : report.suites.flatMap((suite) => listOfPlaywright(suite, `${report.config.rootDir}/${suite.file}`, ""));
}

function listOfVitest({ name: file, status, assertionResults }) {
  const tests = assertionResults.map((test) => ({
    file,
    name: test.fullName,
    state: test.status === "passed" || test.status === "failed" ? test.status : "skipped",
    ms: test.duration ?? 0,
  }));
  const isExplained = status !== "failed" || tests.some(({ state }) => state === "failed");
  return isExplained ? tests : [...tests, { file, name: "the file itself", state: "failed", ms: 0 }];
}

/**
 * @param {any} suite a file, or a group in it
 * @param {string} file
 * @param {string} above titles of the groups around its tests
 * @returns {TestResult[]}
 */
function listOfPlaywright({ specs = [], suites = [] }, file, above) {
  return [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ projectName, status, results }) => ({
        file,
        name: above + title,
        project: projectName,
        // A test that needed a second attempt has failed (decision 51).
        state: status === "expected" ? "passed" : status === "skipped" ? "skipped" : "failed",
        ms: results.reduce((total, { duration }) => total + duration, 0),
      })),
    ),
    ...suites.flatMap((inner) => listOfPlaywright(inner, file, `${above}${inner.title} `)),
  ];
}
