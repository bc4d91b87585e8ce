import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { EmptyList } from "~/components/empty-list";
import { Failure } from "~/components/failure";
import { PageHeader } from "~/components/page-header";
import { Button } from "~/components/ui/button";
import { logsMessages } from "~/content/logs";
import { platformMessages } from "~/content/platform";

const copy = platformMessages.logs;

/**
 * Replaces the log, or a line beside it, while the platform that holds it is unavailable; any other error is a failure of
 * ours.
 */
export function LogUnavailable() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || error.status !== 503) return <Failure />;
  return (
    <>
      <PageHeader
        title={logsMessages.title}
        state={copy.origin}
        actions={
          <Button asChild variant="default">
            {/* An empty address is the document's, with its line and its filter. */}
            <a href="">{copy.tryAgain}</a>
          </Button>
        }
      />
      <EmptyList title={copy.away} description={copy.awayText(String(error.data))} />
    </>
  );
}
