import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
  type Location,
  type ShouldRevalidateFunction,
} from "@remix-run/react";
import { useContext, type ReactNode } from "react";
import touchIcon from "~/images/apple-touch-icon.png";
import type { Appearance } from "~/http/appearance-cookie.server";
import { themeColors } from "~/content/brand-mark";
import { ConnectionNotice } from "~/components/connection-notice";
import { Failure } from "~/components/failure";
import { isGuarded, NavigationOverlay } from "~/components/navigation-overlay";
import { LogoMark } from "~/components/logo";
import interUrl from "~/fonts/inter-subset.woff2?url";
import { NonceContext } from "~/components/nonce-context";
import { isLandingPath, paths } from "~/paths";
import styles from "~/public.css?url";
import { appearanceCookie, brand } from "~/services/container.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: data?.brand.name }];

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: touchIcon },
];

export async function loader({ request }: LoaderFunctionArgs) {
  const { theme } = await appearanceCookie.read(request);
  return { theme, brand };
}

/**
 * Opening or closing a dialog of the landing page requests nothing, also where the query changes (decision 11); nor does a form
 * that was refused or got no answer, for which Remix's default is true here.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, actionStatus = 200 }) =>
  actionStatus < 400 && !(isLandingPath(currentUrl.pathname) && isLandingPath(nextUrl.pathname));

/** Plain hash links share the key "default": without the hash each would restore the last one's position. */
const scrollKey = ({ key, hash }: Location) => (key === "default" ? key + hash : key);

/** The document around every page, the error page included. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  // Undefined when the loader itself failed.
  const theme = useRouteLoaderData<typeof loader>("root")?.theme;
  const { pathname } = useLocation();
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <ThemeColor theme={theme} />
        <Meta />
        <Links />
        <link rel="manifest" href={isGuarded(pathname) ? paths.backOfficeManifest : paths.webManifest} />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} getKey={scrollKey} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/** Gives the browser's toolbars the page's background: that of the chosen theme, else of the device's. */
function ThemeColor({ theme = "system" }: { theme: Appearance["theme"] | undefined }) {
  if (theme !== "system") return <meta name="theme-color" content={themeColors[theme].background} />;
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={themeColors.light.background} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={themeColors.dark.background} />
    </>
  );
}

export default function App() {
  return (
    <>
      <NavigationOverlay />
      <Outlet />
      <ConnectionNotice />
    </>
  );
}

export function ErrorBoundary() {
  return (
    <main className="flex min-h-dvh flex-col justify-center gap-6 px-5 py-16 sm:px-[12vw]">
      <LogoMark className="size-8" />
      <Failure exitLink={{ to: paths.landing, name: "Go to the home page" }} />
    </main>
  );
}
