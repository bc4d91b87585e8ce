import { BellRing, MessageSquareText, UserRoundPlus } from "lucide-react";

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

type Kind = (typeof STATS)[number]["kind"];

/** One strip of three, read like a line of a ledger; on small screens one below the other. */
export function StatCards({ counts }: { counts: Readonly<Record<Kind, number>> }) {
  return (
    <ul className="grid divide-y rounded-lg border bg-surface sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      {STATS.map(({ kind, title, label, icon: Icon }) => (
        <li
          key={kind}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 sm:grid-rows-[1fr_auto_auto] sm:px-5 sm:py-4"
        >
          <h2 className="text-sm font-medium sm:self-start">{title}</h2>
          <Icon aria-hidden className="hidden size-4 self-start text-muted-foreground sm:block" />
          <p
            data-figures
            className="row-span-2 text-xl font-semibold tracking-tight sm:col-span-2 sm:row-span-1 sm:mt-3 sm:text-2xl"
          >
            {counts[kind].toLocaleString("en")}
          </p>
          <p className="text-xs text-muted-foreground sm:col-span-2">{label}</p>
        </li>
      ))}
    </ul>
  );
}
