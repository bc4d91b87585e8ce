import { useSubmit } from "@remix-run/react";
import { useState, type MouseEvent } from "react";
import { BellRing } from "~/components/icons";
import { Button } from "~/components/ui/button";
import { useHydrated } from "~/components/use-hydrated";
import { notificationMessages as copy } from "~/content/notifications";
import { paths } from "~/paths";
import type { PushSettings } from "~/services/push/push-sender";

/** Registers this browser like a visitor's and sends the message to it alone. Push needs JavaScript. */
export function TestOnThisBrowser({ settings }: { settings: PushSettings }) {
  const submit = useSubmit();
  const hydrated = useHydrated();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  async function test({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    const { form } = currentTarget;
    if (!form?.reportValidity()) return;
    setBusy(true);
    setFailure("");
    try {
      // Must come first: browsers ask only in response to a press.
      const permission = "Notification" in window ? await Notification.requestPermission() : "denied";
      const { setUpPush, pushMessages } = await import("./own-browser");
      if (permission === "denied") return setFailure(pushMessages.alerts.denied);
      try {
        const fields = new FormData(form);
        fields.set("token", await setUpPush(settings));
        fields.set("intent", "test");
        submit(fields, { method: "post", action: paths.notifications, preventScrollReset: true });
      } catch (error) {
        reportError(error);
        setFailure(pushMessages.alerts.setUpFailed);
      }
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex max-w-[37.8em] min-w-0 flex-1 basis-80 flex-col items-start gap-1.5">
      <Button
        variant="secondary"
        size="dense"
        disabled={!hydrated || isBusy}
        aria-describedby="test-hint"
        onClick={(event) => void test(event)}
      >
        <BellRing aria-hidden />
        {copy.sendTest}
      </Button>
      <p id="test-hint" className="text-xs text-muted-foreground">
        {copy.testHint}
      </p>
      <noscript>
        <p className="text-xs font-medium">{copy.testNeedsScript}</p>
      </noscript>
      {failure ? (
        <p role="alert" className="text-xs font-medium text-danger">
          {failure}
        </p>
      ) : null}
    </div>
  );
}
