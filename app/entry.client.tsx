import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { RequestIdContext } from "~/nonce-context";

// An error page shows its request's id; the first render here must repeat what the server wrote.
const requestId = document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId;

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
