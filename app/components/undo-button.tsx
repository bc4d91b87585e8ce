import type { ComponentProps } from "react";
import { IntentButton } from "~/components/intent-button";

export type UndoButtonProps = Omit<ComponentProps<typeof IntentButton>, "intent"> & {
  /** True for what the page reports: the button gets the focus. */
  isNext?: boolean;
};

/** Undoes something, in a form that says what. Loses nothing, so it needs no confirmation. */
export function UndoButton({ isNext = false, ...props }: UndoButtonProps) {
  // Without JavaScript the browser focuses it; with it the layout does.
  return <IntentButton intent="undo" autoFocus={isNext} data-next-step={isNext || undefined} {...props} />;
}
