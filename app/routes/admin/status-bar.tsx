import { Database, Mail } from "lucide-react";
import { brand } from "~/brand";

const DATABASES: Record<string, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };
const MAILERS: Record<string, string> = { outbox: "outbox, nothing leaves this machine", smtp: "SMTP" };

/** What the server runs on, at the foot of every screen. */
export function StatusBar({ status }: { status: { database: string; mail: string; version: string } }) {
  return (
    <footer className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-5 gap-y-1 border-t bg-background px-4 py-1 text-2xs text-muted-foreground md:sticky md:bottom-0 md:z-30 md:h-7 md:flex-nowrap md:py-0 lg:px-6 [&_svg]:size-3.5">
      <p className="flex items-center gap-1.5">
        <Database aria-hidden />
        Database: {DATABASES[status.database] ?? status.database}
      </p>
      <p className="flex items-center gap-1.5">
        <Mail aria-hidden />
        Mail: {MAILERS[status.mail] ?? status.mail}
      </p>
      <p className="font-mono md:ml-auto">
        {brand.name} {status.version}
      </p>
    </footer>
  );
}
