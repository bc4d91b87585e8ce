import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A surface with a thin border. Parts: CardHeader (CardTitle, CardDescription), CardContent, CardFooter. */
export const Card = forwardRef<HTMLDivElement, DivProps>(function Card({ className, ...props }, ref) {
  return (
    <div
      ref={ref}
      className={cn("rounded-lg border bg-surface text-surface-foreground", className)}
      {...props}
    />
  );
});

export const CardHeader = forwardRef<HTMLDivElement, DivProps>(function CardHeader(
  { className, ...props },
  ref,
) {
  return <div ref={ref} className={cn("flex flex-col gap-1 px-4 pt-4", className)} {...props} />;
});

type CardTitleProps = ComponentPropsWithoutRef<"h2"> & { as?: "h1" | "h2" | "h3" };

/** A heading; `as` sets its level, for the page's outline. */
export const CardTitle = forwardRef<HTMLHeadingElement, CardTitleProps>(function CardTitle(
  { as: Heading = "h2", className, ...props },
  ref,
) {
  return <Heading ref={ref} className={cn("text-sm font-semibold", className)} {...props} />;
});

export const CardDescription = forwardRef<HTMLParagraphElement, ComponentPropsWithoutRef<"p">>(
  function CardDescription({ className, ...props }, ref) {
    return <p ref={ref} className={cn("text-xs text-muted-foreground", className)} {...props} />;
  },
);

export const CardContent = forwardRef<HTMLDivElement, DivProps>(function CardContent(
  { className, ...props },
  ref,
) {
  return <div ref={ref} className={cn("p-4", className)} {...props} />;
});

export const CardFooter = forwardRef<HTMLDivElement, DivProps>(function CardFooter(
  { className, ...props },
  ref,
) {
  return <div ref={ref} className={cn("flex items-center gap-2 border-t px-4 py-3", className)} {...props} />;
});
