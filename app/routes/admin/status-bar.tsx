import type { ReactNode } from "react";
import {
  AppWindow,
  Bell,
  CircleAlert,
  Clock,
  Copy,
  Database,
  Mail,
  Keyboard,
  Send,
  type LucideIcon,
} from "lucide-react";
import { QuietLink } from "~/components/quiet-link";
import { useBrand } from "~/components/use-brand";
import { AppearanceForm } from "~/components/shell/appearance-controls";
import { useHydrated } from "~/components/use-hydrated";
import { readinessMessages } from "~/content/readiness";
import { shellMessages as copy } from "~/content/shell";
import { zonedClock } from "~/lib/format-time";
import { cn } from "~/lib/utils";
import { UTC } from "~/lib/zoned-time";
import { paths } from "~/paths";
import type { status } from "~/services/container.server";
import type { Allowance } from "~/services/mail/delivery/daily-allowance.server";

const DATABASES: Record<string, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };
const MAILERS: Record<string, string> = { smtp: "SMTP", gmail: "Gmail" };
const MIRRORS: Record<string, string> = { "google-sheets": "Google Sheets", "web-endpoint": "web endpoint" };
const PUSH_ENGINES: Record<string, string> = { webpush: "Web Push", fcm: "Firebase" };

type Counts = { active: number; paused: number };

type StatusBarProps = {
  status: typeof status;
  /** What is wrong with the mail server, as far as this process knows (watched-mailer.ts). */
  mailProblem: keyof typeof copy.status.mailProblems | undefined;
  /** An alert to the person did not reach them, and none has since. */
  isUnreached: boolean;
  /** Today's allowance of emails; undefined without a limit, or where it could not be counted. */
  allowance: Allowance | undefined;
  underWay: { campaigns: Counts; notifications: Counts };
  /** The reason that /readyz gives for its 503; undefined when this server is ready. */
  notReady: string | undefined;
  /** The person's zone, in which times on the screens are unless they say otherwise. */
  timeZone: string;
  hasChosenTimeZone: boolean;
  /** False while the person must choose a password, or set up a second factor, and can open nothing else. */
  hasLinks: boolean;
};

export function StatusBar(props: StatusBarProps) {
  const { status, mailProblem, allowance, underWay, notReady, timeZone, hasChosenTimeZone, hasLinks } = props;
  const brand = useBrand();
  const { campaigns, notifications } = underWay;
  const active = campaigns.active + notifications.active;
  const paused = campaigns.paused + notifications.paused;
  const hasCampaigns = campaigns.active + campaigns.paused > 0;
  const sending = copy.status.sending(active, paused);
  return (
    <footer
      className={cn(
        "flex min-h-7 shrink-0 flex-wrap items-center gap-x-5 gap-y-1 border-t bg-background px-4 py-1 text-2xs md:max-lg:gap-x-4",
        "text-muted-foreground md:sticky md:bottom-0 md:z-30 md:h-7 md:flex-nowrap md:py-0 md:whitespace-nowrap lg:px-6 print:hidden",
      )}
    >
      {notReady === undefined ? null : (
        <Item icon={CircleAlert} className="text-warning">
          {hasLinks ? (
            <QuietLink to={paths.resources}>{readinessMessages.short(notReady)}</QuietLink>
          ) : (
            readinessMessages.short(notReady)
          )}
        </Item>
      )}
      {props.isUnreached && hasLinks ? (
        <Item icon={CircleAlert} className="text-destructive">
          <QuietLink to={paths.alerts}>{copy.status.unreached}</QuietLink>
        </Item>
      ) : null}
      <Item icon={Database}>Database: {DATABASES[status.database] ?? status.database}</Item>
      <Item icon={Mail}>
        <span>
          Email: {MAILERS[status.mailer] ?? status.mailer}
          {status.mailer === "outbox" ? (
            <span className="md:max-xl:hidden">, nothing leaves this machine</span>
          ) : null}
          {mailProblem ? (
            <span className="font-medium text-destructive">: {copy.status.mailProblems[mailProblem]}</span>
          ) : null}
          {allowance ? <AllowanceLeft allowance={allowance} timeZone={timeZone} /> : null}
        </span>
      </Item>
      <Item icon={Bell}>{copy.status.push(PUSH_ENGINES[status.push] ?? status.push)}</Item>
      <Item icon={Copy}>{copy.status.mirrors(status.mirrors.map((name) => MIRRORS[name] ?? name))}</Item>
      {status.platform.length > 0 ? (
        <Item icon={AppWindow}>
          <span>
            {copy.status.platform}
            <span className="md:max-xl:sr-only">
              : {status.platform.map((use) => copy.status.platformUses[use]).join(", ")}
            </span>
          </span>
        </Item>
      ) : null}
      <Item icon={Send}>
        {active + paused > 0 && hasLinks ? (
          <QuietLink to={hasCampaigns ? paths.latestCampaigns : paths.notifications}>{sending}</QuietLink>
        ) : (
          sending
        )}
      </Item>
      {/* The offer comes with JavaScript, before the zone, which stays where it is. */}
      <div className="flex items-center gap-3 md:ml-auto">
        {hasLinks && !hasChosenTimeZone ? <ZoneOffer /> : null}
        <Item icon={Clock}>
          <span className="sr-only">{copy.status.times} </span>
          {hasLinks ? <QuietLink to={paths.ownTimeZone}>{timeZone}</QuietLink> : timeZone}
        </Item>
      </div>
      {hasLinks ? (
        <Item icon={Keyboard}>
          <QuietLink to={paths.shortcuts}>
            <span className="md:max-xl:sr-only">{copy.shortcuts.title}</span>
            <span aria-hidden className="hidden md:max-xl:inline">
              {copy.shortcuts.short}
            </span>
          </QuietLink>
        </Item>
      ) : null}
      <p className="font-mono md:max-lg:hidden">
        {brand.name} {status.version}
      </p>
    </footer>
  );
}

/** Says what is left of today's allowance; the rest is for screen readers where space is limited. */
function AllowanceLeft({ allowance, timeZone }: { allowance: Allowance; timeZone: string }) {
  const { remaining, limit, keptFree, resetsAt } = allowance;
  const left = copy.status.allowance.left(remaining, limit);
  const rest = copy.status.allowance.rest(keptFree, zonedClock(resetsAt, timeZone));
  return (
    <span title={left + rest}>
      {", "}
      <span className={cn("tabular-nums", remaining <= keptFree && "font-medium text-warning")}>
        <span className="md:max-lg:sr-only">{left}</span>
        <span aria-hidden className="hidden md:max-lg:inline">
          {copy.status.allowance.short(remaining)}
        </span>
      </span>
      <span className="md:max-xl:sr-only">{rest}</span>
    </span>
  );
}

/** Offers the browser's time zone with one press, until a zone is chosen. Without JavaScript the zone's link leads to all. */
function ZoneOffer() {
  const timeZone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : UTC;
  if (timeZone === UTC) return null;
  return (
    <AppearanceForm action={paths.account} className="md:max-lg:hidden">
      <input type="hidden" name="intent" value="time-zone" />
      <button
        type="submit"
        name="timeZone"
        value={timeZone}
        className="rounded-sm font-medium text-primary underline-offset-4 hover:underline"
      >
        {copy.status.useZone(timeZone)}
      </button>
    </AppearanceForm>
  );
}

function Item({
  icon: Icon,
  className,
  children,
}: {
  icon: LucideIcon;
  className?: string;
  children: ReactNode;
}) {
  return (
    <p className={cn("flex items-center gap-1.5", className)}>
      <Icon aria-hidden className="size-3.5" />
      {children}
    </p>
  );
}
