import { forwardRef, useState } from "react";
import { Check, Copy } from "lucide-react";
import { Button } from "~/components/ui/button";
import { useHydrated } from "~/components/use-hydrated";

type CopyButtonProps = {
  text: string;
  onCopied?: () => void;
};

/** Copies a text to the clipboard. Rendered only with JavaScript; without it the text is selected by hand. */
export const CopyButton = forwardRef<HTMLButtonElement, CopyButtonProps>(function CopyButton(
  { text, onCopied },
  ref,
) {
  const [isCopied, setCopied] = useState(false);
  const hydrated = useHydrated();
  if (!hydrated || !window.isSecureContext) return null;
  return (
    <Button
      type="button"
      ref={ref}
      variant="outline"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          onCopied?.();
        });
      }}
    >
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{isCopied ? "Copied" : "Copy"}</span>
    </Button>
  );
});
