import * as Radix from "@radix-ui/react-toast";
import { useRef, useSyncExternalStore, type FocusEvent } from "react";
import { CircleAlert, CircleCheck, LoaderCircle, X } from "lucide-react";
import { toasts, type Toast } from "~/components/toast-queue";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/utils";

/** Both are at the top right on small screens and at the bottom right on others (specification, section 4). */
const PLACEMENTS = {
  page: "top-4 sm:right-6 sm:bottom-6",
  /** Clear of the bars of the back office. */
  frame: "top-15 sm:right-6 sm:bottom-11",
};

export type ToasterProps = { placement: keyof typeof PLACEMENTS };

/** Renders the toasts; F8 moves the focus there. Not on the server: Radix sets `style`, which the policy forbids in HTML. */
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
    <Radix.Provider>
      {messages.map((message) => (
        <Entry key={message.id} message={message} onDismiss={() => dismiss(message.id)} />
      ))}
      <Radix.Viewport
        ref={viewport}
        label="Messages ({hotkey})"
        onFocus={remember}
        className={cn(
          "fixed inset-x-4 z-50 flex max-h-[calc(100dvh-6rem)] flex-col gap-2 overflow-x-clip overflow-y-auto outline-none",
          // Room for focus rings.
          "-m-1 p-1 sm:top-auto sm:left-auto sm:w-96 sm:flex-col-reverse",
          PLACEMENTS[placement],
        )}
      />
    </Radix.Provider>
  );
}

/** A message that a swipe to the right, Escape, its button or a timeout dismisses. */
function Entry({ message, onDismiss }: { message: Toast; onDismiss: () => void }) {
  const { kind, title, text, shownMs, persists } = message;
  return (
    <Radix.Root
      // "foreground" interrupts the screen reader, "background" waits for a pause.
      type={kind === "error" ? "foreground" : "background"}
      duration={shownMs}
      onOpenChange={(isOpen) => {
        if (!isOpen) onDismiss();
      }}
      className={cn(
        "flex shrink-0 animate-enter items-start gap-2.5 rounded-lg border bg-card py-2.5 pr-2 pl-3.5 text-sm text-foreground shadow-float",
        "data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
        "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
      )}
    >
      <ToastIcon kind={kind} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title === undefined ? null : <Radix.Title className="font-medium">{title}</Radix.Title>}
        <Radix.Description>{text}</Radix.Description>
      </div>
      {/* The button is left out when the toast is announced. */}
      {persists ? (
        <Radix.Close className={buttonVariants({ variant: "outline", size: "default", className: "-my-1" })}>
          Dismiss
        </Radix.Close>
      ) : (
        <Radix.Close
          aria-label="Dismiss"
          className={cn(buttonVariants({ variant: "ghost", size: "icon" }), "-my-2 text-muted-foreground")}
        >
          <X aria-hidden />
        </Radix.Close>
      )}
    </Radix.Root>
  );
}

const ICONS = {
  success: { icon: CircleCheck, look: "text-success" },
  error: { icon: CircleAlert, look: "text-destructive" },
  loading: { icon: LoaderCircle, look: "animate-spin text-primary" },
} as const;

function ToastIcon({ kind }: Pick<Toast, "kind">) {
  if (kind === "blank" || kind === "custom") return null;
  const { icon: Icon, look } = ICONS[kind];
  return <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", look)} />;
}
