import { forwardRef, useState } from "react";
import { Check, Copy } from "lucide-react";
import { Button, type ButtonProps } from "~/components/ui/button";
import { useHydrated } from "~/components/use-hydrated";
import { cn } from "~/lib/utils";

const RESULTS = { copied: "Copied", failed: "Not copied" } as const;

type CopyButtonProps = Pick<ButtonProps, "size" | "variant"> & {
  text: string;
  /** "Copy" when left out; a button of the size `icon` shows it on hover. */
  label?: string;
  /** Completes the label for screen readers where several are on a page. */
  of?: string;
  /** True where other things would move when it appears. */
  keepsSpace?: boolean;
  onCopied?: () => void;
};

/**
 * Copies a text to the clipboard, and says so until the focus leaves it. Only with JavaScript and in a secure context; elsewhere
 * the text is selected by hand.
 */
export const CopyButton = forwardRef<HTMLButtonElement, CopyButtonProps>(function CopyButton(
  { text, label = "Copy", of, keepsSpace = false, variant = "outline", size, onCopied },
  ref,
) {
  const [result, setResult] = useState<"copied" | "failed">();
  const hydrated = useHydrated();
  const isUsable = hydrated && window.isSecureContext;
  const isIcon = size === "icon";
  if (!isUsable && !keepsSpace) return null;
  return (
    <Button
      type="button"
      ref={ref}
      variant={variant}
      size={size}
      className={cn(isIcon && "size-6 pointer-coarse:size-11", !isUsable && "invisible noscript:hidden")}
      title={isIcon ? label : undefined}
      onClick={({ currentTarget }) => {
        // Safari does not focus a button that is pressed.
        currentTarget.focus();
        navigator.clipboard.writeText(text).then(
          () => {
            setResult("copied");
            onCopied?.();
          },
          () => setResult("failed"),
        );
      }}
      onBlur={() => setResult(undefined)}
    >
      {result === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite" className={isIcon ? "sr-only" : undefined}>
        {result ? RESULTS[result] : label}
      </span>
      {of ? <span className="sr-only">: {of}</span> : null}
    </Button>
  );
});
