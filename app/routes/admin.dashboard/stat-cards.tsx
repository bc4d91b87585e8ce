import { BellRing, MessageSquareText, UserRoundPlus } from "~/components/icons";
import { Link } from "~/components/link";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { grouped } from "~/lib/format-number";

/** Title, value, label, icon (specification, section 2). */
const STATS = [
  { kind: "early-access", title: "Early Access Signups", label: "Total Signups", icon: UserRoundPlus },
  {
    kind: "contact-form",
    title: "Contact Form Submissions",
    label: "Total Submissions",
    icon: MessageSquareText,
  },
  { kind: "updates-signup", title: "Updates Subscribers", label: "Total Subscribers", icon: BellRing },
] as const;

/** Shows the three counts in one row; one below the other on small screens. */
export function StatCards({ counts }: { counts: Readonly<Record<SubmissionKind, number>> }) {
  return (
    <ul className="grid divide-y rounded-lg border bg-surface sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      {STATS.map(({ kind, title, label, icon: Icon }) => (
        <li key={kind} className="stat-card">
          <h2 className="text-sm font-medium max-sm:col-start-2 sm:self-start">
            <Link to={`#${kind}`} className="after:absolute after:inset-0">
              {title}
            </Link>
          </h2>
          <Icon
            aria-hidden
            className="size-4 text-muted-foreground max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1 sm:self-start"
          />
          <p
            data-figures
            className="text-xl font-semibold tracking-tight max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 sm:col-span-2 sm:mt-3 sm:text-2xl"
          >
            {grouped(counts[kind])}
          </p>
          <p className="text-xs text-muted-foreground max-sm:col-start-2 sm:col-span-2">{label}</p>
        </li>
      ))}
    </ul>
  );
}
