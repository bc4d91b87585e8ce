import { useEffect, useId, useRef, useState, type ComponentType, type KeyboardEvent } from "react";
import { X } from "lucide-react";
import { Button } from "~/components/ui/button";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { Checkbox } from "~/components/ui/checkbox";
import { useBrand } from "~/components/use-brand";
import { pushMessages } from "~/content/push-messages";
import { cn } from "~/lib/utils";
import { writeStored } from "~/lib/local-storage";
import type { PushSettings } from "~/lib/push-settings";
import { KEYS, getPushPermission } from "~/components/push/push-permission";
import { useCovers } from "./use-covers";

const { card: copy, alerts } = pushMessages;

/** How long the success message is shown. */
const DONE_MS = 4000;

type CardState = "asking" | "busy" | "done" | "closed";

interface PromptCardProps {
  settings: PushSettings;
}

/** Asks for permission to send push messages. Leaves the scroll buttons free, and hides while it would cover a form. */
export function PromptCard({ settings }: PromptCardProps) {
  const { name } = useBrand();
  const [stage, setStage] = useState<CardState>("asking");
  const [Registered, setRegistered] = useState<ComponentType<PromptCardProps>>();
  const [allowsAnalytics, setAllowsAnalytics] = useState(false);
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const isInTheWay = useCovers(card, "main h1, main form");

  useEffect(() => {
    // Follows a choice made in another tab.
    const look = () =>
      setStage((now) => (now === "asking" && getPushPermission() !== "ask" ? "closed" : now));
    window.addEventListener("storage", look);
    return () => window.removeEventListener("storage", look);
  }, []);

  useEffect(() => {
    if (stage !== "done") return;
    const timer = setTimeout(() => setStage("closed"), DONE_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  /** Goes on from "busy", unless the card was closed meanwhile. */
  const leaveBusy = (next: CardState) => setStage((now) => (now === "busy" ? next : now));

  async function enable() {
    setStage("busy");
    try {
      // Must come first: browsers ask only in response to a press.
      const permission = await Notification.requestPermission();
      if (permission === "granted") return await register();
      if (permission === "denied") window.alert(alerts.denied);
      leaveBusy(permission === "denied" ? "closed" : "asking");
    } catch (error) {
      reportError(error);
      window.alert(alerts.failed);
      leaveBusy("asking");
    }
  }

  async function register() {
    if (allowsAnalytics) writeStored(KEYS.analytics, "yes");
    const script = await import("./registered").catch(reportError);
    // A deploy has replaced the script, or the network is gone: with the permission granted, the next page registers.
    if (!script) return leaveBusy("closed");
    try {
      await script.setUpPush(settings);
      setRegistered(() => script.Registered);
      leaveBusy("done");
    } catch (error) {
      reportError(error);
      window.alert(alerts.setUpFailed);
      leaveBusy("asking");
    }
  }

  function dismiss() {
    writeStored(KEYS.dismissed, String(Date.now()));
    setStage("closed");
  }

  const dismissByEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") dismiss();
  };

  return (
    <>
      {stage === "closed" ? null : (
        <aside
          ref={card}
          aria-labelledby={titleId}
          data-print="no"
          onKeyDown={dismissByEscape}
          className={cn(
            "fixed inset-x-6 bottom-4 z-20 animate-enter sm:right-8 sm:bottom-8 sm:left-auto sm:w-92 lg:right-12",
            // Stays visible while it holds the keyboard's focus.
            isInTheWay && "invisible focus-within:visible",
          )}
        >
          <Card className="shadow-float">
            {stage === "done" ? (
              <CardContent>
                <p id={titleId} role="status">
                  {copy.done}
                </p>
              </CardContent>
            ) : (
              <>
                <CardHeader>
                  <CardTitle id={titleId} className="min-w-0 flex-1">
                    {copy.title}
                  </CardTitle>
                  <CardAction className="-my-2 -mr-2">
                    <Button
                      type="button"
                      variant="ghost"
                      size="icon"
                      aria-label={copy.close}
                      onClick={dismiss}
                      className="text-muted-foreground"
                    >
                      <X aria-hidden />
                    </Button>
                  </CardAction>
                  <CardDescription className="text-sm">{copy.text(name)}</CardDescription>
                </CardHeader>
                <CardContent className="flex flex-col items-start gap-4 pt-3">
                  {settings.engine === "fcm" && settings.measurementId ? (
                    <label className="flex items-start gap-2 text-sm">
                      <Checkbox
                        checked={allowsAnalytics}
                        onChange={(event) => setAllowsAnalytics(event.target.checked)}
                        className="mt-0.5"
                      />
                      {copy.analytics}
                    </label>
                  ) : null}
                  <Button type="button" disabled={stage === "busy"} onClick={() => void enable()}>
                    {copy.enable}
                  </Button>
                </CardContent>
              </>
            )}
          </Card>
        </aside>
      )}
      {Registered ? <Registered settings={settings} /> : null}
    </>
  );
}
