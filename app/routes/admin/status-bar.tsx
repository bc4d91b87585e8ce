import { Link } from "@remix-run/react";
import { AppWindow, Bell, Copy, Database, Keyboard, Mail, Send } from "~/components/icons";
import { brand } from "~/content/brand";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const { shell: copy, platform: platformCopy } = operatorMessages;

const LINK = "rounded-sm underline-offset-4 hover:text-foreground hover:underline";
const DATABASES: Record<string, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };
const MAILERS: Record<string, string> = {
  outbox: "outbox",
  smtp: "SMTP",
  gmail: "Gmail",
  platform: "platform",
};

const MIRRORS: Record<string, string> = operatorMessages.mirrors.short;
const PUSH_ENGINES: Record<string, string> = { webpush: "Web Push", fcm: "Firebase" };

type Counts = { active: number; paused: number };

type StatusBarProps = {
  status: {
    database: string;
    mail: string;
    version: string;
    push: string;
    mirrors: readonly string[];
    platform: readonly (keyof typeof platformCopy.uses)[];
  };
  underWay: { campaigns: Counts; notifications: Counts };
  /** Who has to choose a password first can open nothing else. */
  hasLinks: boolean;
};

/** What the server runs on and what goes on, at the foot of every screen. */
export function StatusBar({ status, underWay, hasLinks }: StatusBarProps) {
  const { campaigns, notifications } = underWay;
  const active = campaigns.active + notifications.active;
  const paused = campaigns.paused + notifications.paused;
  const hasCampaigns = campaigns.active + campaigns.paused > 0;
  const sending = copy.status.sending(active, paused);
  return (
    <footer className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-5 gap-y-1 border-t bg-background px-4 py-1 text-2xs text-muted-foreground md:sticky md:bottom-0 md:z-30 md:h-7 md:flex-nowrap md:py-0 md:whitespace-nowrap lg:px-6 [&_svg]:size-3.5">
      <p className="flex items-center gap-1.5">
        <Database aria-hidden />
        Database: {DATABASES[status.database] ?? status.database}
      </p>
      <p className="flex items-center gap-1.5">
        <Mail aria-hidden />
        <span>
          Email: {MAILERS[status.mail] ?? status.mail}
          {status.mail === "outbox" ? (
            <span className="md:max-lg:hidden">, nothing leaves this machine</span>
          ) : null}
        </span>
      </p>
      <p className="flex items-center gap-1.5">
        <Bell aria-hidden />
        {copy.status.push(PUSH_ENGINES[status.push] ?? status.push)}
      </p>
      <p className="flex items-center gap-1.5">
        <Copy aria-hidden />
        {copy.status.mirrors(status.mirrors.map((name) => MIRRORS[name] ?? name))}
      </p>
      {status.platform.length > 0 ? (
        <p className="flex items-center gap-1.5">
          <AppWindow aria-hidden />
          <span>
            {platformCopy.status}
            <span className="md:max-xl:sr-only">
              : {status.platform.map((use) => platformCopy.uses[use]).join(", ")}
            </span>
          </span>
        </p>
      ) : null}
      <p className="flex items-center gap-1.5">
        <Send aria-hidden />
        {active + paused > 0 && hasLinks ? (
          <Link to={hasCampaigns ? paths.latestCampaigns : paths.notifications} className={LINK}>
            {sending}
          </Link>
        ) : (
          sending
        )}
      </p>
      {hasLinks ? (
        <p className="flex items-center gap-1.5 md:ml-auto">
          <Keyboard aria-hidden />
          <Link to={paths.shortcuts} className={LINK}>
            <span className="md:max-lg:sr-only">{copy.shortcuts.title}</span>
            <span aria-hidden className="hidden md:max-lg:inline">
              {copy.shortcuts.short}
            </span>
          </Link>
        </p>
      ) : null}
      <p className={cn("font-mono", !hasLinks && "md:ml-auto")}>
        {brand.name} {status.version}
      </p>
    </footer>
  );
}
