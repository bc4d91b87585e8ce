import { ButtonLink } from "~/components/button-link";
import { Card } from "~/components/ui/card";
import { Empty, EmptyContent, EmptyDescription, EmptyHeader, EmptyTitle } from "~/components/ui/empty";
import { tableMessages } from "~/content/lists";

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

/** Stands where a later page of a list has no entries. @param props.first link to the first page. */
export function EmptyPage({ first }: { first: string }) {
  return <EmptyList title={tableMessages.noOlder} action={{ to: first, name: tableMessages.toFirst }} />;
}
