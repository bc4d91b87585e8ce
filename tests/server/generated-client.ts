import { createClient } from "@hey-api/openapi-ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ServerProcess } from "../server-process";
import { someone } from "./visitors";

type GeneratedCall = (options?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

export type GeneratedClient = Awaited<ReturnType<typeof generateClient>>;

/** Generates a client from the API's document with a public generator; it calls with a token. */
export async function generateClient(server: ServerProcess, token: string) {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(resolve(".cache/api-client-"));
  await createClient({
    input: (await (await server.fetch("/api/openapi.json")).json()) as Record<string, unknown>,
    output: folder,
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent", file: false },
  });
  const { client } = (await import(/* @vite-ignore */ join(folder, "client.gen.ts"))) as {
    client: { setConfig(config: object): void };
  };
  client.setConfig({ baseUrl: server.origin, auth: token, headers: someone() });
  const sdk = (await import(/* @vite-ignore */ join(folder, "sdk.gen.ts"))) as Record<string, GeneratedCall>;
  const used = new Set<string>();
  return {
    used,
    names: Object.keys(sdk).filter((name) => typeof sdk[name] === "function"),
    /** Makes a call; resolves with its data or the problem. */
    async call(name: string, options: object = {}) {
      used.add(name);
      const generated = sdk[name];
      if (!generated) throw new Error(`The generated client has no ${name}`);
      const { data, error, response } = await generated(options);
      return { status: response.status, headers: response.headers, data, error };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
