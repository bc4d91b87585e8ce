import { rememberFirstTouch } from "../../app/lib/first-touch.ts";

/** When the scripts load without a sign of interest: the push prompt is for somebody who only reads, too. */
const UNASKED_MS = 12_000;

/**
 * Delays the module scripts of a finished page, and their preloads, until the visitor's first sign of interest; until then its
 * links, forms and menu work as without JavaScript. It changes two attributes, and adds a script that changes them back. The
 * script also remembers how the visit began, because a visitor may go on to a form before the others load.
 * @param nonce of the page's scripts
 */
export function delayScripts(html: string, nonce: string): string {
  const loader = `<script nonce="${nonce}">(${loadOnInterest})(${UNASKED_MS});(${rememberFirstTouch})()</script>`;
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="delayed-modulepreload"')
    .replaceAll(/(<script [^>]*)type="module"/g, '$1type="delayed-module"')
    .replace("</body>", `${loader}</body>`);
}

/** Runs in the browser, as text: it may use nothing of this module. */
function loadOnInterest(unaskedMs: number): void {
  const loader = document.currentScript;
  const waiting = new AbortController();
  const load = () => {
    waiting.abort();
    clearTimeout(timer);
    // React must find the document as the server rendered it.
    loader?.remove();
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="delayed-modulepreload"]')) {
      link.rel = "modulepreload";
    }
    for (const script of document.querySelectorAll<HTMLScriptElement>('script[type="delayed-module"]')) {
      // A browser runs a script when it is inserted, not when its type changes.
      const copy = script.cloneNode(true) as HTMLScriptElement;
      copy.type = "module";
      script.replaceWith(copy);
    }
  };
  const timer = setTimeout(load, unaskedMs);
  const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
    // Browsers report a pointer that rests on a new page as a move, too.
    if (movementX !== 0 || movementY !== 0) load();
  };
  const options = { capture: true, passive: true, signal: waiting.signal };
  addEventListener("pointermove", onPointerMove, options);
  for (const sign of ["scroll", "pointerdown", "touchstart", "keydown", "focusin"]) {
    addEventListener(sign, load, options);
  }
  // A browser that already gets notifications shows them in the page, and counts the visits it agreed to.
  if ("Notification" in window && Notification.permission === "granted") load();
}
