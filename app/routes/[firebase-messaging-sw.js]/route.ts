import { paths } from "~/paths";
import { pushMessages } from "~/content/push-messages";
import icon from "~/images/icon-192.png";
import worker from "./web-push-worker.js?raw";

const { title, body } = pushMessages.foreground;
const source = `const settings = ${JSON.stringify({ title, body, icon, landing: paths.landing })};\n${worker}`;

/**
 * Serves the push service worker; revalidated before each use (server/cache/cache-policy.ts). Its path is fixed
 * (specification, section 4): Firebase's name for it serves our own push too.
 */
export function loader() {
  return new Response(source, { headers: { "Content-Type": "text/javascript; charset=utf-8" } });
}
