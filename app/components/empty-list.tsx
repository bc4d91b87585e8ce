import { ButtonLink } from "~/components/button-link";
import { Card } from "~/components/ui/card";
import { Empty, EmptyContent, EmptyDescription, EmptyHeader, EmptyTitle } from "~/components/ui/empty";

type EmptyListProps = {
  title: string;
  /** Says how entries get here, or why there are none. */
  description?: string;
  /** A link to where there are some. */
  action?: { to: string; name: string };
};

/** Stands where a list has no entries to show. */
export function EmptyList({ title, description, action }: EmptyListProps) {
  return (
    <Card>
      <Empty>
        <EmptyHeader>
          <EmptyTitle>{title}</EmptyTitle>
          {description ? <EmptyDescription>{description}</EmptyDescription> : null}
        </EmptyHeader>
        {action ? (
          <EmptyContent>
            <ButtonLink to={action.to}>{action.name}</ButtonLink>
          </EmptyContent>
        ) : null}
      </Empty>
    </Card>
  );
}
