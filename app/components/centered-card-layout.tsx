import type { ReactNode } from "react";
import { Link } from "@remix-run/react";
import { Logo } from "~/components/logo";
import { arcPath } from "~/lib/arc-path";
import { paths } from "~/paths";

const RADII = [330, 430, 530, 640, 760, 890, 1030, 1180];
const CENTRE = { x: 960, y: 540 };

type CenteredCardLayoutProps = {
  title: string;
  label?: string;
  children: ReactNode;
};

/** Lays out a page with a single card, outside the back office, framed by large arcs of the logo mark. */
export function CenteredCardLayout({ title, label, children }: CenteredCardLayoutProps) {
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
        <section className="w-full max-w-sm rounded-lg border bg-card p-6 shadow-float sm:p-8">
          {label ? <p className="mb-2 text-xs text-muted-foreground">{label}</p> : null}
          <h1 className="font-display text-2xl tracking-tight">{title}</h1>
          {children}
        </section>
      </main>
    </div>
  );
}
