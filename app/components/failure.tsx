import { useLocation } from "@remix-run/react";
import { createContext, useContext } from "react";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { messages } from "~/content/messages";
import { paths } from "~/paths";
import { useLoadedBrand } from "./use-brand";

/** The id of the document's request in the server's log. */
export const RequestIdContext = createContext<string | undefined>(undefined);

const TO_THE_DASHBOARD = { to: paths.dashboard, name: "Go to the dashboard" };

/** The global error fallback (specification, section 2); the ErrorBoundary of back office screens too. */
export function Failure({ exitLink = TO_THE_DASHBOARD }: { exitLink?: { to: string; name: string } }) {
  const documentId = useContext(RequestIdContext);
  // A page that was reached by a link was requested by itself.
  const requestId = useLocation().key === "default" ? documentId : undefined;
  const contactEmail = useLoadedBrand()?.contactEmail;
  return (
    <div className="flex flex-col items-start gap-6">
      <h1 className="max-w-[12em] font-display text-2xl tracking-tight">{messages.renderFailed}</h1>
      <p className="max-w-[37.8em] text-base text-muted-foreground">
        Everything you sent before is saved.
        {contactEmail ? (
          <>
            {" "}
            If this happens again, write to{" "}
            <a href={`mailto:${contactEmail}`} className="text-primary underline underline-offset-4">
              {contactEmail}
            </a>
            {requestId ? " and quote the number below." : "."}
          </>
        ) : null}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button asChild size="lg">
          {/* An empty address is the document's, with its query; a Link would take that of the route. */}
          <a href="">Reload the page</a>
        </Button>
        <ButtonLink reloadDocument to={exitLink.to} size="lg">
          {exitLink.name}
        </ButtonLink>
      </div>
      {requestId ? (
        <p className="text-xs text-muted-foreground">
          Request{" "}
          <code data-request-id={requestId} className="font-mono">
            {requestId}
          </code>
        </p>
      ) : null}
    </div>
  );
}
