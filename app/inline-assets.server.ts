import type { EntryContext } from "@remix-run/node";
import type { InlineAssets } from "~/components/inline-assets";
import { seconds } from "~/lib/durations";
import styles from "~/public.css?inline";

/** When the scripts come by themselves: the push prompt shows to somebody who only reads, too. */
const UNASKED_MS = seconds(12);

interface PageFiles {
  readonly manifest: string;
  readonly entry: string;
  /** Route id -> its module. */
  readonly routes: Readonly<Record<string, string>>;
  /** What these import. */
  readonly imports: readonly string[];
}

/**
 * Creates what the cached landing page has in its document: the style sheet, and in place of Remix's <Scripts> a few
 * lines that fetch the same files when the visitor first shows interest. Until then links, forms and the menu work as
 * without JavaScript. The lines begin as those of Remix do, whose stream of the loaders' data follows them.
 * @param context with no other routes in its manifest than the page's
 */
export function createInlineAssets({ manifest, serverHandoffString }: EntryContext): InlineAssets {
  const routes = Object.values(manifest.routes).filter((route) => route !== undefined);
  const files: PageFiles = {
    manifest: manifest.url,
    entry: manifest.entry.module,
    routes: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
    imports: [...new Set([...manifest.entry.imports, ...routes.flatMap(({ imports = [] }) => imports)])],
  };
  const scripts = `window.__remixContext = ${serverHandoffString};
window.__remixContext.stream = new ReadableStream({
  start: (controller) => void (window.__remixContext.streamController = controller)
}).pipeThrough(new TextEncoderStream());
(${loadOnInterest})(${JSON.stringify(files)}, ${UNASKED_MS});`;
  return { styles, scripts };
}

/** Runs in the browser, as text: it may use nothing of this module. */
function loadOnInterest({ manifest, entry, routes, imports }: PageFiles, unaskedMs: number): void {
  const waiting = new AbortController();
  const load = async () => {
    waiting.abort();
    clearTimeout(timer);
    const modules = Object.values(routes);
    for (const href of [manifest, ...modules, ...imports, entry]) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
    const [, ...loaded] = await Promise.all([manifest, ...modules].map((file) => import(file)));
    const ids = Object.keys(routes);
    Object.assign(window, {
      __remixRouteModules: Object.fromEntries(ids.map((id, index) => [id, loaded[index]])),
    });
    await import(entry);
  };
  const timer = setTimeout(load, unaskedMs);
  const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
    // Browsers report a pointer that rests on a new page as a move, too.
    if (movementX !== 0 || movementY !== 0) void load();
  };
  const options = { capture: true, passive: true, signal: waiting.signal };
  window.addEventListener("pointermove", onPointerMove, options);
  for (const sign of ["scroll", "pointerdown", "touchstart", "keydown", "focusin"]) {
    window.addEventListener(sign, load, options);
  }
  // A browser that already gets notifications shows them in the page, and counts the visits it agreed to.
  if ("Notification" in window && Notification.permission === "granted") void load();
}
