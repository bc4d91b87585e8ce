import type { SetupResult } from "~/services/setup/setup-check";

/** Formats the results as a table for a terminal, and below it the names of the errors and the warnings. */
export function formatSetup(results: readonly SetupResult[]): string {
  const nameWidth = Math.max(...results.map(({ name }) => name.length));
  const stateWidth = Math.max(...results.map(({ state }) => state.length));
  const rows = results.map(
    ({ name, state, why }) => `${name.padEnd(nameWidth)}  ${state.padEnd(stateWidth)}  ${why}`,
  );
  const summarize = (state: "error" | "warning") => {
    const names = results.filter((result) => result.state === state).map(({ name }) => name);
    return `${names.length} ${state}${names.length === 1 ? "" : "s"}${names.length > 0 ? `: ${names.join(", ")}` : ""}.`;
  };
  return [...rows, "", summarize("error"), summarize("warning")].join("\n");
}
