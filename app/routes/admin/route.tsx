import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useUserMirror } from "~/components/user-mirror";
import { requestId } from "~/request-context.server";
import { access, appearanceCookie, quarantine, status } from "~/services/container.server";
import { serverBridge } from "../../../server/bridge";
import { RailToggle } from "./appearance-controls";
import { entriesFor, ITEM, LogoutButton, Navigation } from "./navigation";
import { StatusBar } from "./status-bar";
import { TopBar } from "./top-bar";

/** Guards the frame alone: every screen in it is addressable by itself and guards itself. */
export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireAnyPassword(request);
  const { email, fullName, role, passwordIsTemporary } = person;
  const [appearance, quarantined] = await Promise.all([appearanceCookie.read(request), countQuarantined()]);
  return { person: { email, fullName, role, passwordIsTemporary }, appearance, quarantined, status };
}

/** The frame, and whatever screen is in it, stands without this number. */
function countQuarantined(): Promise<number> {
  return quarantine.waiting().catch((err: unknown) => {
    serverBridge().logger.error({ err, id: requestId() }, "the quarantine could not be counted");
    return 0;
  });
}

/** The frame of the back office: top bar, rail, work, status bar. */
export default function AdminLayout() {
  const { person, appearance, quarantined, status } = useLoaderData<typeof loader>();
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const arrivedAt = useRef(pathname);
  const { revalidate } = useRevalidator();
  const entries = entriesFor({ ...person, mail: status.mail, quarantined });

  // Signed out in another tab: the guard of the next answer leads to the login page.
  useUserMirror(revalidate);
  useEffect(() => {
    // A link in the rail leads to another page: the focus follows, as it would with a page load.
    if (arrivedAt.current === pathname) return;
    arrivedAt.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div data-rail={appearance.rail} className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-1.5 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 font-medium text-primary-foreground focus:translate-y-0"
      >
        Skip to the page
      </a>
      <TopBar person={person} entries={entries} theme={appearance.theme} />
      <div className="flex flex-1">
        <div className="sticky top-12 z-20 hidden h-[calc(100dvh-4.75rem)] w-16 shrink-0 flex-col border-r px-3 py-4 md:flex lg:w-58 narrow:w-16">
          <Navigation entries={entries} />
          <div className="mt-auto flex flex-col gap-0.5">
            <RailToggle rail={appearance.rail} className={ITEM} />
            <LogoutButton />
          </div>
        </div>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-6 lg:px-8"
        >
          <Outlet />
        </main>
      </div>
      <StatusBar status={status} />
    </div>
  );
}
