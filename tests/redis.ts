import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@redis/client";
import { freePort } from "../scripts/free-port.mjs";

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
if (!hasRedis)
  console.info("Skipped where a real Redis is needed: there is no redis-server on this machine.");

const PASSWORD = "a secret of the test";

/** Starts the test's own Redis, in memory, with a password. */
export async function startRedis() {
  const port = await freePort();
  const url = `redis://default:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  /** Runs a command as redis-cli does: run("sadd", "meetings:active", "a"). */
  async function run(...command: string[]): Promise<unknown> {
    const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2000 } });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  async function start(): Promise<void> {
    const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--requirepass", PASSWORD];
    child = spawn("redis-server", settings, { stdio: "ignore" });
    for (let tries = 0; ; tries += 1) {
      const answer = await run("PING").catch(() => undefined);
      if (answer === "PONG") return;
      if (tries > 400 || child.exitCode !== null) throw new Error("The test's Redis did not start");
      await pause(25);
    }
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  await start();
  return {
    url,
    password: PASSWORD,
    run,
    kill,
    /** Restarts it, empty, on the same port. */
    start,
    /** Stops the process: it accepts connections and never responds. */
    hang: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    remove: kill,
  };
}

/** Opens a port that never accepts: the listening process is stopped, as behind a firewall that drops packets. */
export async function startBlackHole(): Promise<{ url: string; remove: () => Promise<void> }> {
  const listener = spawn(process.execPath, [
    "-e",
    "const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))",
  ]);
  const [line] = (await once(listener.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  listener.kill("SIGSTOP");
  const waiting: Socket[] = [];
  for (let full = false; !full;) {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    waiting.push(socket);
    full = await Promise.race([once(socket, "connect").then(() => false), pause(300).then(() => true)]);
    if (waiting.length > 50) throw new Error("The queue did not fill up");
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    remove: async () => {
      const exit = once(listener, "exit");
      listener.kill("SIGKILL");
      for (const socket of waiting) socket.destroy();
      await exit;
    },
  };
}
