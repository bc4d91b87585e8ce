/** Parses the parts of a Dockerfile and a .dockerignore that ours use; anything else in them is an error. */
import { UserError } from "./child-process.mjs";

/**
 * @typedef {{ kind: string, text: string }} Step
 * @typedef {{ name: string, steps: Step[] }} Stage
 */

const KINDS = ["WORKDIR", "ENV", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD", "LABEL"];

/**
 * @param {string} text
 * @returns {Stage[]} in order; the last one is the image
 */
export function parseDockerfile(text) {
  /** @type {Stage[]} */
  const stages = [];
  const lines = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n/g, " ");
  for (const line of lines.split("\n").filter((one) => one.trim() !== "")) {
    const [, kind = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (kind === "FROM") stages.push({ name: / AS (\S+)$/.exec(rest)?.[1] ?? "", steps: [] });
    else if (stage && KINDS.includes(kind)) stage.steps.push({ kind, text: rest.trim() });
    else if (kind !== "ARG" || stage) throw new UserError(`The Dockerfile has an unknown line: ${line}`);
  }
  return stages;
}

/**
 * @param {string} text of a .dockerignore
 * @returns {(path: string) => boolean} whether a file or folder is ignored, by its path in the project
 */
export function createIgnoreFilter(text) {
  const patterns = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const unknown = patterns.find((pattern) => /[!?[\]]/.test(pattern));
  if (unknown) throw new UserError(`.dockerignore has an unknown pattern: ${unknown}`);
  const expressions = patterns.map((pattern) => {
    const source = pattern
      .replace(/[.+^$()|{}]/g, "\\$&")
      .replaceAll("**/", "\0")
      .replaceAll("*", "[^/]*")
      .replaceAll("\0", "(?:.*/)?");
    return new RegExp(`^${source}(?:/|$)`);
  });
  return (path) => expressions.some((expression) => expression.test(path));
}

/**
 * @param {string} text of a CMD, or of the part after CMD in a HEALTHCHECK
 * @returns {string[]}
 */
export function parseCommand(text) {
  const json = /(\[.*\])\s*$/.exec(text)?.[1];
  if (!json) throw new UserError(`A command must be a list, so that signals reach it: ${text}`);
  return JSON.parse(json);
}
