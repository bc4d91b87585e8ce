import { useNavigation } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { NotificationCard } from "~/components/notification-card";
import { notificationMessages as copy } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import { paths } from "~/paths";
import type { NotificationsView } from "./notifications-view.server";

/** The last confirmation. The draft's id becomes the broadcast's id, so that pressing twice sends once. */
export function SendQuestion(props: NonNullable<NotificationsView["question"]>) {
  const { id, audience, tenantName, devices, isForPlatform, title, body } = props;
  const audienceName = tenantName || copy.audiences[audience];
  const isSending = useNavigation().formData?.get("intent") === "confirm";
  const draft = new URLSearchParams({ draft: id });
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      closeTo={`${paths.notifications}?${draft}`}
      action={paths.notifications}
      intent="confirm"
      yes={isSending ? copy.sending : copy.send}
      no={copy.cancel}
      fields={
        <>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="devices" value={devices} />
        </>
      }
    >
      <p>
        {isForPlatform ? formatQuestion(devices, audienceName) : copy.confirm(devices, audienceName)}{" "}
        {copy.cannotBeUndone}
      </p>
      <NotificationCard title={title} body={body} />
    </ConfirmDialog>
  );
}

function formatQuestion(devices: number, audience: string): string {
  const { alsoTo, onlyTo } = platform.broadcast;
  return devices > 0 ? alsoTo(copy.size(devices), audience) : onlyTo(audience);
}
