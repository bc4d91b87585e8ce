import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useRef, type FocusEvent } from "react";
import {
  Toast,
  ToastClose,
  ToastDescription,
  ToastProvider,
  ToastTitle,
  ToastViewport,
} from "~/components/ui/toast";
import { useToast } from "~/components/use-toast";

const ICONS = {
  default: undefined,
  success: CircleCheck,
  destructive: CircleAlert,
  loading: LoaderCircle,
};

export type ToasterProps = {
  /** Of the viewport: where the page has bars that the toasts should leave free. */
  className?: string;
};

/** Renders the toasts; F8 moves the focus there. Not on the server: Radix sets `style`, which the policy forbids in HTML. */
export function Toaster({ className }: ToasterProps) {
  const { toasts, dismiss } = useToast();
  const viewport = useRef<HTMLOListElement>(null);
  const previousFocus = useRef<EventTarget | null>(null);
  const remember = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
      previousFocus.current = relatedTarget;
  };
  const close = (id: string) => {
    const hadFocus = viewport.current?.contains(document.activeElement);
    dismiss(id);
    // A reader who came here by F8 returns once the last toast is dismissed.
    if (hadFocus && toasts.length === 1 && previousFocus.current instanceof HTMLElement)
      previousFocus.current.focus();
  };
  return (
    <ToastProvider>
      {toasts.map(({ id, title, description, action, variant, duration }) => {
        const Icon = ICONS[variant];
        return (
          <Toast
            key={id}
            variant={variant}
            // "foreground" interrupts the screen reader, "background" waits for a pause.
            type={variant === "destructive" ? "foreground" : "background"}
            duration={duration}
            onOpenChange={(isOpen) => {
              if (!isOpen) close(id);
            }}
          >
            {Icon ? <Icon aria-hidden /> : null}
            <div className="min-w-0 flex-1 wrap-anywhere">
              {title ? <ToastTitle>{title}</ToastTitle> : null}
              {description ? <ToastDescription>{description}</ToastDescription> : null}
            </div>
            {action ?? <ToastClose />}
          </Toast>
        );
      })}
      <ToastViewport ref={viewport} label="Messages ({hotkey})" onFocus={remember} className={className} />
    </ToastProvider>
  );
}
