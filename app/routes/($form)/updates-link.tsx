import type { ComponentPropsWithoutRef } from "react";
import { ButtonLink } from "~/components/button-link";
import { paths } from "~/paths";
import { useTexts } from "./use-texts";

type UpdatesLinkProps = Omit<ComponentPropsWithoutRef<typeof ButtonLink>, "to" | "size">;

/** Opens the dialog over the current page; without JavaScript, loads the same page with the dialog open. */
export function UpdatesLink({ variant = "default", ...props }: UpdatesLinkProps) {
  return (
    <ButtonLink {...props} to={paths.updates} preventScrollReset variant={variant} size="lg">
      {useTexts().hero.updates}
    </ButtonLink>
  );
}
