import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import { dialects, testDatabase } from "../databases";
import { getFcmEnvironment } from "../factories/firebase";
import { getSheetsEnvironment } from "../factories/google-workspace";
import { startWorkspace } from "../fakes/google-workspace";
import { startPlatform } from "../fakes/platform";
import { hasRedis, startRedis } from "../redis";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { figure, getMedian, getResidentMiB, type Figure } from "./measurement";

const SENDER = "team@example.test";
const STARTS = 5;
const CONNECTIONS = 1000;
/** Every scheduled task has run once within this time. */
const QUIET_MS = 65_000;
const AIMS = { residentMiB: 220, startSeconds: 2, connectionsMiB: 30 };

/** Measures start time and idle memory of the product with every feature switched on. */
export async function measureIdle(): Promise<Figure[]> {
  const [google, platform] = await Promise.all([startWorkspace(), startPlatform()]);
  const redis = hasRedis ? await startRedis() : undefined;
  google.delegations.set(SENDER, [GOOGLE_SCOPES.gmail]);
  const { proxy, credentials, certFile } = google;
  const everything = {
    // Nothing is sent, so Firebase's responses are not needed.
    ...getFcmEnvironment({ projectId: "bench-project", credentials, proxy, certFile }),
    ...getSheetsEnvironment(google),
    MAIL_DRIVER: "gmail",
    GMAIL_USER: SENDER,
    ...platform.environment,
    PLATFORM_BROADCASTS: "on",
    TENANTS_DRIVER: "platform",
    LOGS_DRIVER: "platform",
    DOUBLE_OPT_IN: "on",
    INCIDENT_MAILS: "on",
    ...(redis && { REDIS_URL: redis.url }),
    // Includes the compilation of the code in the start time.
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
  const figures: Figure[] = [];
  for (const dialect of dialects) {
    const database = await testDatabase(dialect);
    const server = await startServer({ ...database.environment, ...everything });
    try {
      figures.push(...(await measureServer(server, dialect)));
    } finally {
      await server.remove();
      await database.remove();
    }
  }
  await Promise.all([google.close(), platform.close(), redis?.remove()]);
  return figures;
}

async function measureServer(server: ServerProcess, dialect: string): Promise<Figure[]> {
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now();
    await server.restart();
    await (await server.fetch("/")).text();
    starts.push((performance.now() - began) / 1000);
  }
  await pause(QUIET_MS);
  const idle = getResidentMiB(server.pid);
  const connections = await measureConnections(server);
  const cookie = await logIn(server);
  const requestedAt = performance.now();
  const dashboard = await (await server.fetch("/admin/dashboard", { headers: { Cookie: cookie } })).text();
  const took = performance.now() - requestedAt;
  if (!dashboard.includes("Admin Dashboard")) throw new Error("The dashboard was not rendered");
  return [
    figure(`Start to the first page on ${dialect}, everything on`, getMedian(starts), "s", AIMS.startSeconds),
    figure(`Resident memory, idle on ${dialect}, everything on`, idle, "MiB", AIMS.residentMiB),
    figure(`${CONNECTIONS} idle connections on ${dialect}`, connections, "MiB", AIMS.connectionsMiB),
    figure(`The dashboard after a quiet minute on ${dialect}`, took, "ms"),
    figure(`Resident memory after the dashboard on ${dialect}`, getResidentMiB(server.pid), "MiB"),
  ];
}

/**
 * Measures the memory of open idle connections, each answered once. Sequential requests before it warm up the
 * process.
 */
async function measureConnections(server: ServerProcess): Promise<number> {
  for (let request = 0; request < CONNECTIONS; request += 1)
    (await openAnsweredConnection(server.port)).destroy();
  await pause(1000);
  const before = getResidentMiB(server.pid);
  const open = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openAnsweredConnection(server.port)),
  );
  await pause(1000);
  const cost = getResidentMiB(server.pid) - before;
  const closed = open.filter((socket) => socket.destroyed || socket.readableEnded).length;
  for (const socket of open) socket.destroy();
  if (closed > 0) throw new Error(`${closed} of ${CONNECTIONS} connections were closed`);
  return cost;
}

async function openAnsweredConnection(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [head] = (await once(socket, "data")) as [Buffer];
  if (!head.toString("latin1").startsWith("HTTP/1.1 200")) throw new Error(head.toString("latin1"));
  socket.resume();
  return socket;
}
