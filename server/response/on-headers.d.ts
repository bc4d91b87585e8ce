declare module "on-headers" {
  import type { ServerResponse } from "node:http";

  /** Calls the listener right before the headers are written; the last one registered is called first. */
  export default function onHeaders(response: ServerResponse, listener: () => void): void;
}
