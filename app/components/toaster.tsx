import { CircleAlert, CircleCheck, LoaderCircle, X } from "~/components/icons";
import { useRef, useSyncExternalStore, type ComponentProps, type FocusEvent } from "react";
import { toasts, type Toast as Message } from "~/components/toast-queue";
import { buttonVariants } from "~/components/ui/button";
import {
  Toast,
  ToastClose,
  ToastDescription,
  ToastProvider,
  ToastTitle,
  ToastViewport,
} from "~/components/ui/toast";
import { cn } from "~/lib/class-names";

export type ToasterProps = Pick<ComponentProps<typeof ToastViewport>, "placement">;

/** Renders the page's toasts, in the browser only; a page imports this file later (lazy-toaster.tsx). */
export function Toaster({ placement }: ToasterProps) {
  const messages = useSyncExternalStore(toasts.watch, toasts.list);
  const viewport = useRef<HTMLOListElement>(null);
  const previousFocus = useRef<EventTarget | null>(null);

  const remember = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
      previousFocus.current = relatedTarget;
  };
  const dismiss = (id: string) => {
    const hadFocus = viewport.current?.contains(document.activeElement);
    toasts.dismiss(id);
    // A reader who came here by F8 returns once the last message is dismissed.
    if (hadFocus && messages.length === 1 && previousFocus.current instanceof HTMLElement)
      previousFocus.current.focus();
  };
  return (
    <ToastProvider>
      {messages.map((message) => (
        <Entry key={message.id} message={message} onDismiss={() => dismiss(message.id)} />
      ))}
      <ToastViewport ref={viewport} placement={placement} label="Messages ({hotkey})" onFocus={remember} />
    </ToastProvider>
  );
}

function Entry({ message, onDismiss }: { message: Message; onDismiss: () => void }) {
  const { kind, title, text, shownMs, persists } = message;
  return (
    <Toast
      // "foreground" interrupts the screen reader, "background" waits for a pause.
      type={kind === "error" ? "foreground" : "background"}
      duration={shownMs}
      onOpenChange={(isOpen) => {
        if (!isOpen) onDismiss();
      }}
    >
      <ToastIcon kind={kind} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title === undefined ? null : <ToastTitle>{title}</ToastTitle>}
        <ToastDescription>{text}</ToastDescription>
      </div>
      {persists ? (
        <ToastClose className={cn(buttonVariants({ variant: "secondary", size: "dense" }), "-my-1")}>
          Dismiss
        </ToastClose>
      ) : (
        <ToastClose
          aria-label="Dismiss"
          className={cn(buttonVariants({ variant: "quiet", size: "icon" }), "-my-2 text-muted-foreground")}
        >
          <X aria-hidden />
        </ToastClose>
      )}
    </Toast>
  );
}

const ICONS = {
  success: { icon: CircleCheck, look: "text-success" },
  error: { icon: CircleAlert, look: "text-danger" },
  loading: { icon: LoaderCircle, look: "animate-spin text-primary" },
} as const;

function ToastIcon({ kind }: Pick<Message, "kind">) {
  if (kind === "blank" || kind === "custom") return null;
  const { icon: Icon, look } = ICONS[kind];
  return <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", look)} />;
}
