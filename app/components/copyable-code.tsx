import { forwardRef } from "react";
import { CopyButton } from "~/components/copy-button";

type CopyableCodeProps = {
  /** What is copied. */
  text: string;
  /** What is shown instead of it, grouped for the eye. */
  shown?: string;
  onCopied?: () => void;
};

/** A password, token or key, selected as a whole by one click, with a button that copies it. The ref is the button's. */
export const CopyableCode = forwardRef<HTMLButtonElement, CopyableCodeProps>(function CopyableCode(
  { text, shown = text, onCopied },
  ref,
) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <code className="rounded-md border bg-card px-3 py-1.5 font-mono text-base wrap-anywhere select-all">
        {shown}
      </code>
      <CopyButton ref={ref} text={text} onCopied={onCopied} />
    </div>
  );
});
