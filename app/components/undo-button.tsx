import type { ComponentProps } from "react";
import { IntentButton } from "~/components/intent-button";

export type UndoButtonProps = Omit<ComponentProps<typeof IntentButton>, "intent"> & {
  /** True beside the notice of what was just done: the button gets the focus. */
  takesFocus?: boolean;
};

/** Submits its form with the intent "undo"; its other fields say what to undo. Loses nothing, so it needs no confirmation. */
export function UndoButton({ takesFocus = false, ...props }: UndoButtonProps) {
  // Without JavaScript the browser focuses it; with it `useRestoredFocus` does.
  return (
    <IntentButton intent="undo" autoFocus={takesFocus} data-next-step={takesFocus || undefined} {...props} />
  );
}
