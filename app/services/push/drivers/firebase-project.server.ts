import { cert, deleteApp, initializeApp } from "firebase-admin/app";
import { randomUUID } from "node:crypto";
import { Agent } from "node:https";

const CONNECTIONS = 50;

interface FirebaseProjectOptions {
  readonly projectId: string;
  /** Key file of the service account that sends (GOOGLE_APPLICATION_CREDENTIALS). */
  readonly credentials: string;
  /** Maximum number of connections per Google host; each carries one request at a time (HTTP/1.1). */
  readonly connections?: number;
  /** http://host:port of a proxy for every call to Google (CONNECT). */
  readonly proxy?: string | undefined;
  /** Whether FIREBASE_AUTH_EMULATOR_HOST is set: the emulator speaks plain HTTP, which our agent does not. */
  readonly emulated?: boolean;
  /** Certificates trusted instead of the public ones; for tests. */
  readonly ca?: string;
}

export type FirebaseProject = ReturnType<typeof openFirebaseProject>;

/**
 * Opens the project that both drivers use, with a keep-alive agent of our own. Sends no request before a message is
 * sent or a token verified.
 */
export function openFirebaseProject(options: FirebaseProjectOptions) {
  const { projectId, credentials, connections = CONNECTIONS, proxy, emulated, ca } = options;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    // NODE_ENV only satisfies the type. Through a proxy there may be more than maxSockets for a moment: Node does not
    // count those that are still opening.
    ...(proxy && { proxyEnv: { NODE_ENV: "production", HTTPS_PROXY: proxy } }),
    ...(ca && { ca }),
  });
  // A path, not the parsed file: only then does the SDK use the agent for its requests for an access token too.
  const credential = cert(credentials, agent);
  const appOptions = { credential, projectId, ...(!emulated && { httpAgent: agent }) };
  const app = initializeApp(appOptions, `frontdesk-${randomUUID()}`);
  return {
    app,
    credential,
    agent,
    async close() {
      await deleteApp(app);
      agent.destroy();
    },
  };
}
