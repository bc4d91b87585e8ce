import { Bell } from "lucide-react";

export function NotificationCard({ title, body }: { title: string; body: string }) {
  return (
    <div className="flex gap-3 rounded-md border bg-background px-3.5 py-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md bg-primary-surface text-primary">
        <Bell aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">
          <bdi>{title}</bdi>
        </p>
        <p className="whitespace-pre-wrap text-muted-foreground">
          <bdi>{body}</bdi>
        </p>
      </div>
    </div>
  );
}
