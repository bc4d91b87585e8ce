import type { ComponentPropsWithoutRef } from "react";
import { ButtonLink } from "~/components/button-link";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { useTexts } from "./use-texts";

/** The page's content width: every section has the same left and right edge. */
export const measure = "mx-auto w-full max-w-[100rem] px-6 sm:px-8 lg:px-12";

export function SectionHeading({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <h2 className={cn("font-display text-3xl tracking-tight lg:text-4xl", className)} {...props} />;
}

type UpdatesLinkProps = Omit<ComponentPropsWithoutRef<typeof ButtonLink>, "to" | "size">;

/** Opens the dialog over the current page; without JavaScript, loads the same page with the dialog open. */
export function UpdatesLink({ variant = "default", ...props }: UpdatesLinkProps) {
  return (
    <ButtonLink {...props} to={paths.updates} preventScrollReset variant={variant} size="lg">
      {useTexts().hero.updates}
    </ButtonLink>
  );
}
