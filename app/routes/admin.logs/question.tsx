import { Banner } from "~/components/banner";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { logsAt } from "./filter";
import type { LogsView } from "./logs-view.server";

const { logs: copy, platform } = operatorMessages;

/** Asks before everything goes. When it did not go, the question stays and says so. */
export function Question({ view, hasFailed }: { view: LogsView; hasFailed: boolean }) {
  const { values, total, outOfReach, isPlatforms } = view;
  const deleteFailed = isPlatforms ? platform.logs.deleteFailed : copy.deleteFailed;
  return (
    <ConfirmDialog
      title={copy.deleteAll}
      closeTo={logsAt(values)}
      action={logsAt(values, { step: "delete" })}
      intent="delete"
      yes={copy.delete}
      yesBusy={copy.deleting}
      no={copy.cancel}
      isDestructive
    >
      {hasFailed ? <Banner kind="error">{deleteFailed}</Banner> : null}
      <p>{copy.question}</p>
      <p className="text-muted-foreground">{copy.whatGoes(total + outOfReach)}</p>
    </ConfirmDialog>
  );
}
