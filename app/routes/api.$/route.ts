import { problem } from "~/api/problem.server";

/** Unknown paths of the API, with or without a token: which there are is no secret (docs/api.md). */
export function loader() {
  return problem("not_found");
}

export function action() {
  return problem("not_found");
}
