import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { RequestIdContext } from "~/components/nonce-context";

// An error page shows its request's id; the first render here must repeat what the server wrote.
const requestId = document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId;

await decodedState();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RequestIdContext.Provider value={requestId}>
        <RemixBrowser />
      </RequestIdContext.Provider>
    </StrictMode>,
  );
});

/**
 * RemixBrowser suspends until it has decoded what the loaders sent. A key or click in that moment makes React 18 hydrate at
 * once, which cannot suspend (its error 345), so the decoding is begun, and waited for, before.
 */
async function decodedState(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (suspended) {
    await suspended;
  }
}
