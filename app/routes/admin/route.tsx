import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { useRef } from "react";
import styles from "~/back-office.css?url";
import { FormResponseProvider, useFormResponseKey } from "~/components/form-response";
import { LazyToaster } from "~/components/lazy-toaster";
import { LoadingBar } from "~/components/loading-bar";
import { FRAME_NOTICES, Notice } from "~/components/notice";
import { useRestoredFocus } from "~/components/use-restored-focus";
import { useUserMirror } from "~/components/user-mirror";
import { logError } from "~/http/request-context.server";
import { paths } from "~/paths";
import {
  access,
  appearanceCookie,
  broadcasts,
  getMailProblem,
  getNotReadyReason,
  mirrors,
  outreach,
  quarantine,
  status,
} from "~/services/container.server";
import { RailToggle, ThemeChoice } from "./appearance-controls";
import { getEntries, LogoutButton, Navigation, type LayoutData } from "./navigation";
import { useOverlays } from "./overlays";
import { StatusBar } from "./status-bar";
import { PersonLine, TopBar } from "./top-bar";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

/** Guards the layout alone: every screen in it is addressable by itself and guards itself. */
export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireUser(request);
  const { email, fullName, role } = person;
  const [appearance, quarantined, undecidedCopies, campaigns, notifications] = await Promise.all([
    appearanceCookie.read(request),
    countOr(0, quarantine.count(), "the quarantine could not be counted"),
    countOr(0, mirrors?.undecided() ?? Promise.resolve(0), "the rows of copies could not be counted"),
    countOr(NONE_ACTIVE, outreach.countUnderWay(), "the campaigns under way could not be counted"),
    countOr(NONE_ACTIVE, broadcasts.countUnderWay(), "the notifications under way could not be counted"),
  ]);
  return {
    person: { email, fullName, role, firstPage: access.getRequiredSetupPage(person) },
    appearance,
    waiting: { [paths.quarantine]: quarantined, [paths.mirrors]: undecidedCopies },
    underWay: { campaigns, notifications },
    status,
    mailProblem: getMailProblem(),
    notReady: getNotReadyReason(),
  };
}

const NONE_ACTIVE = { active: 0, paused: 0 };

/** Returns `fallback` when the count fails, because the layout and its screens work without these numbers. */
function countOr<Count>(fallback: Count, count: Promise<Count>, failure: string): Promise<Count> {
  return count.catch((err: unknown) => {
    logError(err, failure);
    return fallback;
  });
}

export default function AdminLayout() {
  const { person, appearance, underWay, status, mailProblem, notReady, waiting } =
    useLoaderData<typeof loader>();
  const main = useRef<HTMLElement>(null);
  const formResponseKey = useFormResponseKey();
  const entries = getEntries({ ...person, ...status, waiting });
  const { shortcuts } = appearance;
  const hasLinks = person.firstPage === undefined;
  const overlays = useOverlays({ entries, shortcuts, isOn: hasLinks });

  // Signed out in another tab: the guard redirects the next request to the login.
  useUserMirror();
  useRestoredFocus(main, formResponseKey);

  return (
    <div data-rail={appearance.rail} className="group/frame flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-1.5 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 font-medium text-primary-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      <TopBar
        person={person}
        theme={appearance.theme}
        onSearch={hasLinks ? overlays.openSearch : undefined}
      />
      <div className="flex flex-1">
        {/* At the side, or on small screens below the top bar while its Menu is open. */}
        <div className="rail">
          <PersonLine person={person} className="flex px-3 pt-1 md:hidden" />
          <Navigation entries={entries} />
          <div className="flex items-center justify-between gap-3 max-md:border-t max-md:pt-3 md:mt-auto md:flex-col md:items-stretch md:gap-0.5">
            <RailToggle rail={appearance.rail} />
            <LogoutButton />
            <ThemeChoice theme={appearance.theme} className="md:hidden" />
          </div>
        </div>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-6 lg:px-8"
        >
          <FormResponseProvider value={formResponseKey}>
            <Notice only={FRAME_NOTICES} className="mb-6 max-w-4xl" />
            <Outlet context={{ entries, shortcuts } satisfies LayoutData} />
          </FormResponseProvider>
        </main>
      </div>
      <StatusBar
        status={status}
        mailProblem={mailProblem}
        underWay={underWay}
        notReady={notReady}
        hasLinks={hasLinks}
      />
      <LoadingBar />
      <LazyToaster placement="frame" />
      {overlays.element}
    </div>
  );
}
