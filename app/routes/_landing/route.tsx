import type { LinksFunction } from "@remix-run/node";
import { Outlet, useLocation } from "@remix-run/react";
import serifUrl from "~/fonts/instrument-serif-subset.woff2?url";
import { useHydrated } from "~/components/use-hydrated";
import { paths } from "~/paths";
import { About } from "./about";
import { Building } from "./building";
import { Contact } from "./contact";
import { Faqs } from "./faqs";
import { Features } from "./features";
import { Footer } from "./footer";
import { Hero } from "./hero";
import { TopNavigation } from "./top-navigation";

/** The headline is the first thing to be read: its face comes with the page. */
export const links: LinksFunction = () => [
  { rel: "preload", href: serifUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
];

/** The landing page. Its child routes render nothing, or a dialog over it. */
export default function Landing() {
  const dialogIsOpen = useLocation().pathname !== paths.landing;
  // With JavaScript the dialog is modal and the browser holds the page back; without, `inert` does (React 18 has no type for it).
  const hydrated = useHydrated();
  const held = dialogIsOpen && !hydrated ? { inert: "" } : {};
  return (
    <>
      <div {...held}>
        <a
          href="#content"
          className="sr-only rounded-md bg-primary px-4 py-3 text-primary-foreground focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-40"
        >
          Skip to the content
        </a>
        <TopNavigation />
        <main id="content" className="text-base">
          <Hero />
          <About />
          <Features />
          <Building />
          <Faqs />
          <Contact />
        </main>
        <Footer />
      </div>
      <Outlet />
    </>
  );
}
