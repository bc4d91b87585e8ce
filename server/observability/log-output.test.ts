import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../tests/temporary-folder";
import { LogOutput } from "./log-output.ts";

const isScriptThere = spawnSync("script", ["--version"]).status === 0;

/** Creates an output whose reader takes a number of bytes. */
function createOutput(reader: { takes: number }) {
  let text = "";
  const timers: (() => void)[] = [];
  const dropped: number[] = [];
  const output = new LogOutput({
    write(bytes) {
      const taken = Math.min(bytes.length, reader.takes);
      if (taken === 0) throw Object.assign(new Error("full"), { code: "EAGAIN" });
      reader.takes -= taken;
      text += bytes.subarray(0, taken).toString();
      return taken;
    },
    setTimer: (callback) => void timers.push(callback),
    onDropped: (lines) => void dropped.push(lines),
  });
  const retry = () => timers.splice(0).forEach((run) => run());
  return { output, written: () => text, retry, dropped, timers };
}

// R38
test("lines wait in order while the reader takes nothing, also in the middle of one", () => {
  const reader = { takes: 7 };
  const { output, written, retry, dropped, timers } = createOutput(reader);
  output.write("first\n");
  output.write("second\n");
  output.write("third\n");
  expect(written()).toBe("first\ns");
  expect(timers).toHaveLength(1);
  reader.takes = 1000;
  retry();
  expect(written()).toBe("first\nsecond\nthird\n");
  expect(dropped).toEqual([]);
});

// R38
test("waiting lines are limited; further ones are dropped, counted and reported later", () => {
  const reader = { takes: 0 };
  const { output, written, retry, dropped } = createOutput(reader);
  const line = `${"x".repeat(1023)}\n`;
  for (let index = 0; index < 1200; index += 1) output.write(line);
  retry();
  expect(dropped).toEqual([]);
  reader.takes = Infinity;
  retry();
  expect(written()).toHaveLength(1024 * 1024);
  expect(dropped).toEqual([1200 - 1024]);
  output.write("after\n");
  expect(written().endsWith("after\n")).toBe(true);
  expect(dropped).toHaveLength(1);
});

// R38
test("the exit does not wait for a reader that takes nothing", () => {
  const { output } = createOutput({ takes: 0 });
  output.write("last words\n");
  const began = performance.now();
  output.flushSync();
  expect(performance.now() - began).toBeLessThan(2000);
});

// R38
test("a closed output drops the lines and does not throw", () => {
  const output = new LogOutput({
    write() {
      throw Object.assign(new Error("gone"), { code: "EPIPE" });
    },
    setTimer: () => expect.unreachable(),
    onDropped: () => expect.unreachable(),
  });
  output.write("a\n");
  output.flushSync();
});

// R38
test.skipIf(!isScriptThere)(
  "lines go to standard output's terminal, also when another one started it",
  () => {
    const folder = temporaryFolder();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const module = JSON.stringify(resolve("server/observability/log-output.ts"));
    const code = `import(${module}).then((log) => log.createLogOutput(() => {}).write("a line\\n"))`;
    // The inner terminal starts it, with the outer one as standard output.
    const inner = `script -qec '"$NODE" -e "$CODE" > $OUTER' inner > /dev/null`;
    const outer = `export OUTER=$(tty); ${inner}`;
    const env = { ...process.env, SHELL: "/bin/sh", NODE: process.execPath, CODE: code };
    spawnSync("script", ["-qec", outer, "outer"], { cwd: folder, env });
    const isIn = (name: string) => /^.*a line\r?$/m.test(readFileSync(join(folder, name), "utf8"));
    expect([isIn("outer"), isIn("inner")]).toEqual([true, false]);
  },
);
