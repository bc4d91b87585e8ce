import { expect, it } from "vitest";
import { parseCommand, createIgnoreFilter, parseDockerfile } from "./dockerfile.mjs";

it("a Dockerfile is parsed into stages of steps, with continued lines joined and without comments", () => {
  const text =
    'ARG NODE=x\n# why\nFROM ${NODE} AS build\nRUN a \\\n  && b\n\nFROM ${NODE}\nCMD ["node", "a.js"]\n';
  expect(parseDockerfile(text)).toEqual([
    { name: "build", steps: [{ kind: "RUN", text: "a    && b" }] },
    { name: "", steps: [{ kind: "CMD", text: '["node", "a.js"]' }] },
  ]);
});

it("an unknown step or pattern is rejected", () => {
  expect(() => parseDockerfile("FROM a\nADD https://x.example /y\n")).toThrow("ADD https://x.example /y");
  expect(() => createIgnoreFilter("docs\n!docs/a.md")).toThrow("!docs/a.md");
});

it("paths that match .dockerignore are ignored", () => {
  const isIgnored = createIgnoreFilter("docs\n*.log\n**/*.test.*\n.env\n");
  const ignored = ["docs", "docs/a.md", "npm.log", "app/lib/csv.test.ts", "a.test.mjs", ".env"];
  const included = ["app/docs", "app/x.log", "app/test.ts", ".env.example", "documents"];
  expect(ignored.filter((path) => !isIgnored(path))).toEqual([]);
  expect(included.filter(isIgnored)).toEqual([]);
});

it("a command must be a list", () => {
  expect(parseCommand('--interval=10s CMD ["node", "-e", "f([1])"]')).toEqual(["node", "-e", "f([1])"]);
  expect(() => parseCommand("CMD node a.js")).toThrow("must be a list");
});
