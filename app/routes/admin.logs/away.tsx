import { Link, isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { EmptyList } from "~/components/empty-list";
import { Failure } from "~/components/failure";
import { PageHeader } from "~/components/page-header";
import { buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const { logs, platform } = operatorMessages;

/** Instead of the log, while the platform that has it does not give it; any other trouble is a failure of ours. */
export function Away() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || error.status !== 503) return <Failure />;
  return (
    <>
      <PageHeader
        title={logs.title}
        state={platform.logs.whose}
        actions={
          <Link to={paths.logs} reloadDocument className={buttonVariants({ size: "dense" })}>
            {platform.logs.tryAgain}
          </Link>
        }
      />
      <EmptyList title={platform.logs.away} then={platform.logs.awayText(String(error.data))} />
    </>
  );
}
