import type { Reporter, TestCase } from "vitest/node";

/** Names what passed only at its second try (`retry` in vitest.config.ts): it fails nothing, and is to be mended. */
export default class SecondTryReporter implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length) console.log(`\nPassed only at the second try:\n  ${this.#names.join("\n  ")}`);
  }
}
