import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { retryDataRequests } from "~/components/connection";
import { InlineAssetsContext, STYLES_ID } from "~/components/inline-assets";
import { RequestIdContext } from "~/components/nonce-context";

window.fetch = retryDataRequests(window.fetch.bind(window));

// An error page shows its request's id; the first render here must repeat the server's output.
const requestId = document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId;

// So that it also repeats the style sheet in the document. Its script has run.
const styles = document.getElementById(STYLES_ID)?.textContent;

await waitForDecodedState();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RequestIdContext.Provider value={requestId}>
        <InlineAssetsContext.Provider value={styles ? { styles, scripts: "" } : undefined}>
          <RemixBrowser />
        </InlineAssetsContext.Provider>
      </RequestIdContext.Provider>
    </StrictMode>,
  );
});

/**
 * Decodes the loaders' data before hydration. RemixBrowser suspends meanwhile, and a key or click in that moment
 * makes React 18 hydrate synchronously, which cannot suspend (React error 345).
 */
async function waitForDecodedState(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (suspended) {
    await suspended;
  }
}
