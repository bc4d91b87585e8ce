import { forwardRef } from "react";
import { Button, type ButtonProps } from "~/components/ui/button";

type IntentButtonProps = Omit<ButtonProps, "type" | "name" | "value" | "asChild"> & { intent: string };

/** Submits its form with an `intent`, which tells the action what to do. Outlined by default. */
export const IntentButton = forwardRef<HTMLButtonElement, IntentButtonProps>(function IntentButton(
  { intent, variant = "outline", ...props },
  ref,
) {
  return <Button {...props} ref={ref} type="submit" name="intent" value={intent} variant={variant} />;
});
