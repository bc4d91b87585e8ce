import { Link } from "@remix-run/react";
import { CardFooter } from "~/components/ui/card";
import { SendStateBadge } from "~/components/send-state-badge";
import { messages } from "~/messages";
import { paths } from "~/paths";
import type { OutreachView } from "./outreach-view.server";

/** The latest sends, each with its state and a way to its page. */
export function RecentSends({ sends }: { sends: OutreachView["recent"] }) {
  return (
    <CardFooter className="flex-col items-stretch gap-1">
      <h3 className="text-xs font-medium text-muted-foreground">{messages.outreachBooks.recentTitle}</h3>
      <ul className="flex flex-col">
        {sends.map((send) => (
          <li key={send.id} className="flex min-h-9 items-center gap-3">
            <SendStateBadge state={send.state} />
            <Link
              to={paths.outreachSend(send.id)}
              className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
            >
              <bdi>{send.title}</bdi>
            </Link>
            <span className="hidden text-muted-foreground sm:inline">{send.audience}</span>
          </li>
        ))}
      </ul>
    </CardFooter>
  );
}
