import type { LinksFunction, MetaFunction } from "@remix-run/node";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, type Location } from "@remix-run/react";
import { useContext, type ReactNode } from "react";
import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { brand } from "~/brand";
import { LogoMark } from "~/components/logo";
import { buttonVariants } from "~/components/ui/button";
import { messages } from "~/messages";
import { NonceContext, RequestIdContext } from "~/nonce-context";
import { paths } from "~/paths";
import "./tailwind.css";

export const meta: MetaFunction = () => [{ title: brand.name }];

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

/** Jumps by a plain link (#faqs) all have the key "default": without their hash each would be led back to where the last one was. */
const scrollKey = ({ key, hash }: Location) => (key === "default" ? key + hash : key);

/** The document around every page, the error page included. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#121317" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} getKey={scrollKey} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** What nobody foresaw, and every address that leads nowhere (specification, "Global error fallback"). */
export function ErrorBoundary() {
  const requestId = useContext(RequestIdContext);
  return (
    <main className="flex min-h-dvh flex-col items-start justify-center gap-6 px-5 py-16 sm:px-[12vw]">
      <LogoMark className="size-8" />
      <h1 className="max-w-[26ch] font-display text-2xl tracking-tight sm:text-3xl">
        {messages.renderFailed}
      </h1>
      <p className="max-w-[60ch] text-base text-muted-foreground">
        Nothing you had already sent is lost. If it happens again, write to{" "}
        <a href={`mailto:${brand.contactEmail}`} className="text-primary underline underline-offset-4">
          {brand.contactEmail}
        </a>
        {requestId ? " and quote the number below." : "."}
      </p>
      <div className="flex flex-wrap gap-3">
        <a href="" className={buttonVariants()}>
          Reload the page
        </a>
        <a href={paths.landing} className={buttonVariants({ variant: "secondary" })}>
          Go to the first page
        </a>
      </div>
      {requestId ? (
        <p className="text-xs text-muted-foreground">
          Request{" "}
          <code data-request-id={requestId} className="font-mono">
            {requestId}
          </code>
        </p>
      ) : null}
    </main>
  );
}
