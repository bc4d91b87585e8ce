import { Bell } from "lucide-react";
import { notificationMessages as copy } from "~/content/notifications";
import { Item, ItemContent, ItemDescription, ItemMedia, ItemTitle } from "~/components/ui/item";

interface NotificationCardProps {
  title: string;
  body: string;
  /** The path or URL that a press opens, empty for the landing page; undefined where the application decides. */
  link: string | undefined;
}

/** A push message as a device shows it, and what it opens. */
export function NotificationCard({ title, body, link }: NotificationCardProps) {
  return (
    <div className="flex flex-col gap-2">
      <Item variant="outline" size="sm" className="bg-background">
        <ItemMedia variant="icon">
          <Bell aria-hidden />
        </ItemMedia>
        <ItemContent>
          <ItemTitle>
            <bdi>{title}</bdi>
          </ItemTitle>
          <ItemDescription className="whitespace-pre-wrap">
            <bdi>{body}</bdi>
          </ItemDescription>
        </ItemContent>
      </Item>
      {link === undefined ? null : (
        <p className="text-xs wrap-anywhere text-muted-foreground">{copy.leadsTo(link)}</p>
      )}
    </div>
  );
}
