import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { constants, gzipSync } from "node:zlib";
import { freePort } from "../../scripts/free-port.mjs";
import { installPeer, isServing, runIn, startPeer } from "./peer";
import { temporaryFolder } from "../temporary-folder";

/** Returns the nginx of this machine, otherwise Debian's, unpacked without being installed (nginx-light depends on it). */
export function installNginx(): string {
  if (!spawnSync("nginx", ["-v"]).error) return "nginx";
  const folder = installPeer("nginx", (into) => {
    runIn(into, ["apt-get", "download", "nginx"]);
    for (const file of readdirSync(into)) runIn(into, ["dpkg-deb", "--extract", file, "."]);
  });
  return join(folder, "usr/sbin/nginx");
}

/** Serves a page from its file compressed beforehand, with one process. */
export async function startNginx(command: string, page: string) {
  const folder = temporaryFolder();
  const port = await freePort();
  mkdirSync(join(folder, "files"));
  writeFileSync(join(folder, "files/index.html"), page);
  writeFileSync(join(folder, "files/index.html.gz"), gzipSync(page, { level: constants.Z_BEST_COMPRESSION }));
  const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path temporary;`)
    .join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid nginx.pid; error_log stderr;
    events {}
    http {
      ${temporaryPaths}
      access_log off; default_type text/html; gzip_static on; sendfile on; keepalive_requests 1000000;
      server { listen 127.0.0.1:${port}; root files; }
    }`,
  );
  const { child, ...peer } = startPeer(command, ["-e", "stderr", "-p", folder, "-c", "nginx.conf"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await isServing(`http://127.0.0.1:${port}/`))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await pause(50);
  }
  const stop = async () => {
    await peer.stop();
    rmSync(folder, { recursive: true });
  };
  return { port, pid: peer.pid, stop };
}
