import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A surface with a thin border. Parts: CardHeader, or CardTitle and CardDescription; CardContent; CardFooter. */
export function Card({ className, ...props }: DivProps) {
  return <div className={cn("rounded-lg border bg-surface text-foreground", className)} {...props} />;
}

export function CardHeader({ title, description }: { title: string; description?: string }) {
  return (
    <div className="flex flex-col gap-1 px-4 pt-4">
      <CardTitle>{title}</CardTitle>
      {description === undefined ? null : <CardDescription>{description}</CardDescription>}
    </div>
  );
}

export function CardTitle({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <h2 className={cn("text-sm font-semibold", className)} {...props} />;
}

export function CardDescription({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return <p className={cn("text-xs text-muted-foreground", className)} {...props} />;
}

export function CardContent({ className, ...props }: DivProps) {
  return <div className={cn("p-4", className)} {...props} />;
}

export function CardFooter({ className, ...props }: DivProps) {
  return <div className={cn("card-footer", className)} {...props} />;
}
