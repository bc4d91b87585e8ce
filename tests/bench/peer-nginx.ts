import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { freePort } from "../../scripts/free-port.mjs";
import { installPeer, runIn, startPeer } from "./peer";
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
  const args = ["-e", "stderr", "-p", folder, "-c", "nginx.conf"];
  const peer = await startPeer(`http://127.0.0.1:${port}/`, command, args, {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async () => {
    await peer.stop();
    rmSync(folder, { recursive: true });
  };
  return { port, pid: peer.pid, stop };
}
