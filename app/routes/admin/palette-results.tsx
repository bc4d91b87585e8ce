import { Link, useSubmit } from "@remix-run/react";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import type { Group } from "../admin.search/search-source";
import { useReturnTo } from "./appearance-controls";

type PaletteResultsProps = {
  /** What the ids of the list and of its options begin with. */
  id: string;
  groups: readonly Group[];
  /** The chosen one, counted through all groups. */
  index: number;
  onPoint: (index: number) => void;
  onFollow: () => void;
};

export const listId = (id: string) => `${id}list`;
export const optionId = (id: string, index: number) => `${id}option${index}`;

/** What the field of the palette controls: the focus stays there, so that no option can be reached by tab. */
export function PaletteResults({ id, groups, index, onPoint, onFollow }: PaletteResultsProps) {
  const submit = useSubmit();
  const returnTo = useReturnTo();
  return (
    <div
      id={listId(id)}
      role="listbox"
      aria-label={operatorMessages.shell.search.results}
      className="overflow-y-auto overscroll-contain p-2"
    >
      {groups.map((group, number) => {
        const first = groups.slice(0, number).reduce((sum, { hits }) => sum + hits.length, 0);
        return (
          <div key={group.id} role="group" aria-labelledby={`${id}${group.id}`}>
            <p id={`${id}${group.id}`} className="px-2 pt-2 pb-1 text-2xs font-medium text-muted-foreground">
              {group.title}
            </p>
            {group.hits.map((hit, place) => {
              const own = first + place;
              return (
                <Link
                  key={own}
                  id={optionId(id, own)}
                  role="option"
                  aria-selected={own === index}
                  tabIndex={-1}
                  to={hit.to}
                  reloadDocument={hit.isFile ?? false}
                  onClick={(event) => {
                    onFollow();
                    if (!hit.form) return;
                    event.preventDefault();
                    submit(
                      { ...hit.form, returnTo },
                      {
                        method: "post",
                        action: hit.to,
                        replace: true,
                        preventScrollReset: true,
                      },
                    );
                  }}
                  onPointerMove={() => {
                    if (own !== index) onPoint(own);
                  }}
                  className={cn(
                    "flex min-h-9 items-center gap-x-3 rounded-md px-2 py-1.5 max-sm:flex-col max-sm:items-start pointer-coarse:min-h-11",
                    own === index && "bg-primary-surface text-primary",
                  )}
                >
                  <bdi className="max-w-full min-w-0 truncate font-medium">{hit.title}</bdi>
                  {hit.detail === undefined ? null : (
                    <bdi className="max-w-full min-w-0 truncate text-xs text-muted-foreground sm:ml-auto">
                      {hit.detail}
                    </bdi>
                  )}
                </Link>
              );
            })}
          </div>
        );
      })}
    </div>
  );
}
