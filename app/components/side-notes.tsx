import type { ReactNode } from "react";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";

/** Notes beside a screen's form. Its children are list items. */
export function SideNotes({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Card role="complementary" aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
      </CardHeader>
      <CardContent className="pt-3">
        <ul className="flex max-w-[37.8em] list-none flex-col gap-3 text-sm text-muted-foreground">
          {children}
        </ul>
      </CardContent>
    </Card>
  );
}
