import { Bell } from "lucide-react";
import { Item, ItemContent, ItemDescription, ItemMedia, ItemTitle } from "~/components/ui/item";

/** A push message as a device shows it. */
export function NotificationCard({ title, body }: { title: string; body: string }) {
  return (
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
  );
}
