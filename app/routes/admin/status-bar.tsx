import type { ReactNode } from "react";
import { Link } from "@remix-run/react";
import {
  AppWindow,
  Bell,
  CircleAlert,
  Copy,
  Database,
  Mail,
  Keyboard,
  Send,
  type LucideIcon,
} from "lucide-react";
import { brand } from "~/content/brand";
import { readinessMessages } from "~/content/readiness";
import { shellMessages as copy } from "~/content/shell";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { status } from "~/services/container.server";

const DATABASES: Record<string, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };
const MAILERS: Record<string, string> = { smtp: "SMTP", gmail: "Gmail" };
const MIRRORS: Record<string, string> = { "google-sheets": "Google Sheets", "web-endpoint": "web endpoint" };
const PUSH_ENGINES: Record<string, string> = { webpush: "Web Push", fcm: "Firebase" };

type Counts = { active: number; paused: number };

type StatusBarProps = {
  status: typeof status;
  /** Of the latest email; undefined when the mail server answered it. */
  mailProblem: keyof typeof copy.status.mailProblems | undefined;
  underWay: { campaigns: Counts; notifications: Counts };
  /** The reason that /readyz gives for its 503; undefined when this server is ready. */
  notReady: string | undefined;
  /** False while the person must choose a password first and can open nothing else. */
  hasLinks: boolean;
};

export function StatusBar({ status, mailProblem, underWay, notReady, hasLinks }: StatusBarProps) {
  const { campaigns, notifications } = underWay;
  const active = campaigns.active + notifications.active;
  const paused = campaigns.paused + notifications.paused;
  const hasCampaigns = campaigns.active + campaigns.paused > 0;
  const sending = copy.status.sending(active, paused);
  return (
    <footer className="status-bar">
      {notReady === undefined ? null : (
        <Item icon={CircleAlert} className="text-warning">
          {hasLinks ? (
            <Link to={paths.resources} className="quiet-link">
              {readinessMessages.short(notReady)}
            </Link>
          ) : (
            readinessMessages.short(notReady)
          )}
        </Item>
      )}
      <Item icon={Database}>Database: {DATABASES[status.database] ?? status.database}</Item>
      <Item icon={Mail}>
        <span>
          Email: {MAILERS[status.mailer] ?? status.mailer}
          {status.mailer === "outbox" ? (
            <span className="md:max-lg:hidden">, nothing leaves this machine</span>
          ) : null}
          {mailProblem ? (
            <span className="font-medium text-destructive">: {copy.status.mailProblems[mailProblem]}</span>
          ) : null}
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
          <Link to={hasCampaigns ? paths.latestCampaigns : paths.notifications} className="quiet-link">
            {sending}
          </Link>
        ) : (
          sending
        )}
      </Item>
      {hasLinks ? (
        <Item icon={Keyboard} className="md:ml-auto">
          <Link to={paths.shortcuts} className="quiet-link">
            <span className="md:max-lg:sr-only">{copy.shortcuts.title}</span>
            <span aria-hidden className="hidden md:max-lg:inline">
              {copy.shortcuts.short}
            </span>
          </Link>
        </Item>
      ) : null}
      <p className={cn("font-mono", !hasLinks && "md:ml-auto")}>
        {brand.name} {status.version}
      </p>
    </footer>
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
      <Icon aria-hidden />
      {children}
    </p>
  );
}
