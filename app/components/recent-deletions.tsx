import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import { Card, CardHeader, CardTitle } from "~/components/ui/card";
import { Item, ItemActions, ItemContent, ItemGroup } from "~/components/ui/item";

interface RecentDeletionsProps<Deletion> {
  title: string;
  deletions: readonly Deletion[];
  now: number;
  describe: (deletion: Deletion) => ReactNode;
  /** @param describedBy id of the element that describes the deletion. */
  renderUndo: (deletion: Deletion, describedBy: string) => ReactNode;
}

/** Lists recent deletions that can be undone, by any operator; renders nothing when there are none. */
export function RecentDeletions<Deletion extends { readonly id: string; readonly deleted_at: number }>({
  title,
  deletions,
  now,
  describe,
  renderUndo,
}: RecentDeletionsProps<Deletion>) {
  if (deletions.length === 0) return null;
  return (
    <Card role="region" aria-label={title}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
      </CardHeader>
      <ItemGroup className="mt-1 divide-y">
        {deletions.map((deletion) => {
          const describedBy = `deletion-${deletion.id}`;
          return (
            <Item key={deletion.id} asChild size="sm" className="rounded-none py-2">
              <li>
                <ItemContent>
                  <p id={describedBy} className="wrap-anywhere">
                    {describe(deletion)},{" "}
                    <Timestamp at={deletion.deleted_at} now={now} className="text-muted-foreground" />
                  </p>
                </ItemContent>
                <ItemActions>{renderUndo(deletion, describedBy)}</ItemActions>
              </li>
            </Item>
          );
        })}
      </ItemGroup>
    </Card>
  );
}
