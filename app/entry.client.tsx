import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition, useEffect, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { retryDataRequests } from "~/components/connection";
import { RequestIdContext } from "~/components/failure";
import { announceTyped, rememberFields } from "~/typed-fields";

window.fetch = retryDataRequests(window.fetch.bind(window));

// An error page shows its request's id; the first render here must repeat the server's output.
const requestId = document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId;
const keepTyped = rememberFields(document);

function App() {
  useLayoutEffect(keepTyped, []);
  // After every other component's effects, which listen for it. From then on the page answers to keys as well.
  useEffect(() => {
    announceTyped(document);
    document.documentElement.dataset.hydrated = "";
  }, []);
  return (
    <RequestIdContext.Provider value={requestId}>
      <RemixBrowser />
    </RequestIdContext.Provider>
  );
}

await waitForDecodedState();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <App />
    </StrictMode>,
  );
});

/**
 * Decodes the loaders' data before hydration. RemixBrowser suspends meanwhile, and a key or click in that moment makes React
 * 18 hydrate synchronously, which cannot suspend: error 345 (https://github.com/react/react/pull/28800).
 */
async function waitForDecodedState(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (suspended) {
    await suspended;
  }
}
