import { paths } from "~/paths";
import { pushMessages } from "~/content/push-messages";
import icon from "~/images/icon-192.png";
import worker from "./web-push-worker.js?raw";

const { title, body } = pushMessages.foreground;
const source = `const settings = ${JSON.stringify({ title, body, icon, landing: paths.landing })};\n${worker}`;

/** Serves the push service worker; never cached, so that a new version is used at once (cache-policy.ts). */
export function loader() {
  return new Response(source, { headers: { "Content-Type": "text/javascript; charset=utf-8" } });
}
