import { cert, deleteApp, initializeApp } from "firebase-admin/app";
import type { App } from "firebase-admin/app";
import { randomUUID } from "node:crypto";
import { Agent } from "node:https";

const CONNECTIONS = 50;

export interface FirebaseProjectOptions {
  readonly projectId: string;
  /** The service account's key file (GOOGLE_APPLICATION_CREDENTIALS): in its name we send. */
  readonly credentials: string;
  /** Connections to one of Google's hosts at most; each carries one request at a time (HTTP/1.1). */
  readonly connections?: number;
  /** http://host:port of a proxy that every call to Google goes through (CONNECT). */
  readonly proxy?: string | undefined;
  /** FIREBASE_AUTH_EMULATOR_HOST is set: the emulator speaks plain HTTP, which no agent of ours does. */
  readonly emulated?: boolean;
  /** Certificates to trust instead of the public ones; for tests. */
  readonly ca?: string;
}

/** The project at Firebase that both drivers speak to, over kept connections of our own. */
export interface FirebaseProject {
  readonly id: string;
  readonly app: App;
  close(): Promise<void>;
}

/** Nothing is asked of Google before something is sent or verified. */
export function openFirebaseProject(given: FirebaseProjectOptions) {
  const { projectId, credentials, connections = CONNECTIONS, proxy, emulated, ca } = given;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    // NODE_ENV is for its type alone. Node does not count connections that a proxy is still making.
    ...(proxy && { proxyEnv: { NODE_ENV: "production", HTTPS_PROXY: proxy } }),
    ...(ca && { ca }),
  });
  // The agent carries the calls for an access token as well, but only when the SDK reads the file by itself.
  const credential = cert(credentials, agent);
  const options = { credential, projectId, ...(!emulated && { httpAgent: agent }) };
  const app = initializeApp(options, `frontdesk-${randomUUID()}`);
  return {
    id: projectId,
    app,
    async close() {
      await deleteApp(app);
      agent.destroy();
    },
  } satisfies FirebaseProject;
}
