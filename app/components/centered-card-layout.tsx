import type { ReactNode } from "react";
import { Link } from "@remix-run/react";
import { Logo } from "~/components/logo";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { arcPath } from "~/lib/arc-path";
import { paths } from "~/paths";

const RADII = [330, 430, 530, 640, 760, 890, 1030, 1180];
const CENTRE = { x: 960, y: 540 };

type CenteredCardLayoutProps = {
  title: string;
  /** Above the title. */
  label?: string;
  /** Below the title. */
  description?: ReactNode;
  /** Where to get help. */
  footer?: ReactNode;
  children: ReactNode;
};

/** Lays out a page with a single card, outside the back office, framed by large arcs of the logo mark. */
export function CenteredCardLayout({ title, label, description, footer, children }: CenteredCardLayoutProps) {
  return (
    <div className="relative isolate flex min-h-dvh flex-col overflow-hidden">
      <svg
        aria-hidden
        viewBox="0 0 1920 1080"
        preserveAspectRatio="xMidYMid slice"
        fill="none"
        className="pointer-events-none absolute inset-0 -z-10 size-full stroke-border"
      >
        {RADII.map((radius, ring) => (
          <g key={radius} strokeWidth={ring === 1 ? 2 : 1.25}>
            <path d={arcPath(CENTRE, radius, [52, 308])} />
            <path
              d={arcPath(CENTRE, radius, [-24, 24])}
              className={ring === 1 ? "stroke-primary" : undefined}
            />
          </g>
        ))}
      </svg>
      <header className="flex h-16 shrink-0 items-center px-5 sm:px-8">
        {/* The landing page's policy allows a push engine's hosts and this page's does not: load a new
            document (server/response/content-policy.ts). */}
        <Link reloadDocument to={paths.landing} className="rounded-sm">
          <Logo />
        </Link>
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-4 pt-4 pb-20">
        <Card className="w-full max-w-sm shadow-float">
          <CardHeader className="gap-2 px-6 pt-6 sm:px-8 sm:pt-8">
            {label ? <CardDescription className="order-first">{label}</CardDescription> : null}
            <CardTitle asChild className="font-display text-2xl font-normal tracking-tight">
              <h1>{title}</h1>
            </CardTitle>
            {description ? <CardDescription className="text-sm">{description}</CardDescription> : null}
          </CardHeader>
          <CardContent className="flex flex-col gap-5 p-6 pt-5 sm:p-8 sm:pt-5">{children}</CardContent>
          {footer ? (
            <CardFooter className="px-6 sm:px-8">
              <p className="text-xs text-muted-foreground">{footer}</p>
            </CardFooter>
          ) : null}
        </Card>
      </main>
    </div>
  );
}
