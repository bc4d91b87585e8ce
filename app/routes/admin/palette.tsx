import { Link, useFetcher, useNavigate, useSubmit } from "@remix-run/react";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { connection } from "~/components/connection";
import { QuietLink } from "~/components/quiet-link";
import {
  CommandDialog,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
  CommandShortcut,
} from "~/components/ui/command";
import { Kbd, KbdGroup } from "~/components/ui/kbd";
import { shellMessages } from "~/content/shell";
import { paths } from "~/paths";
import { useReturnTo } from "~/components/shell/appearance-controls";
import type { Entry } from "~/components/shell/navigation";
import { SEARCH_MAX_LENGTH, type HitGroup, type SearchResults } from "~/components/shell/search-results";

/** Typing must pause this long before a request is sent. */
const PAUSE_MS = 120;
const copy = shellMessages.search;

type PaletteProps = {
  /** The screens whose shortcuts are shown beside them; none while shortcuts are off. */
  entries: readonly Entry[];
  onClose: () => void;
};

/** The search over the current page (WAI-ARIA combobox with a listbox popup): the focus stays in the field. */
export default function Palette({ entries, onClose }: PaletteProps) {
  const { load, data } = useFetcher<SearchResults>();
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState("");
  // The active option belongs to what was typed: for something else it is the first again.
  const [chosen, setChosen] = useState({ index: 0, of: "" as string | undefined });
  const groups = data?.groups ?? [];
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const shown = data?.typed;
  const index = chosen.of === shown ? Math.min(chosen.index, Math.max(count - 1, 0)) : 0;

  useEffect(() => {
    // Also when an older response arrives after its text was changed back: nothing had aborted that request.
    if (shown === typed) return;
    // A newer query aborts the older request.
    const search = () => {
      // A first request fetches the route's module too, and a failure of that would reload the document.
      if (shown === undefined && connection.isLost()) connection.tell(copy.failed);
      else load(paths.searchResults(typed));
    };
    const timer = setTimeout(search, typed === "" ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [load, shown, typed]);
  useEffect(() => {
    document.getElementById(optionId(id, index))?.scrollIntoView({ block: "nearest" });
  });

  const choose = (next: number) => setChosen({ index: (next + count) % count, of: shown });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const option = shown === typed ? document.getElementById(optionId(id, index)) : undefined;
      if (option) return option.click();
      // Enter came before the response, or nothing was found: the search page says so.
      onClose();
      navigate(paths.searchResults(typed));
    }
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count > 0) {
      event.preventDefault();
      choose(index + (event.key === "ArrowDown" ? 1 : -1));
    }
  };

  return (
    <CommandDialog title={copy.title} onOpenChange={onClose}>
      <CommandInput
        autoFocus
        aria-label={copy.field}
        aria-expanded={count > 0}
        aria-controls={listId(id)}
        aria-activedescendant={count > 0 ? optionId(id, index) : undefined}
        value={typed}
        maxLength={SEARCH_MAX_LENGTH}
        placeholder={copy.placeholder}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p role="status" className="sr-only">
        {data && shown === typed ? copy.found(count) : ""}
      </p>
      <PaletteResults
        id={id}
        entries={entries}
        groups={groups}
        index={index}
        onPoint={choose}
        onFollow={onClose}
      />
      {data?.failed ? <CommandEmpty className="text-destructive">{copy.failed}</CommandEmpty> : null}
      {data && count === 0 && !data.failed ? (
        <CommandEmpty>{copy.nothingTitle(data.typed)}.</CommandEmpty>
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t px-4 py-2 text-2xs text-muted-foreground">
        <p className="pointer-coarse:hidden">{copy.paletteHint}</p>
        <QuietLink to={paths.searchResults(typed)} onClick={onClose}>
          {copy.openPage}
        </QuietLink>
      </div>
    </CommandDialog>
  );
}

type PaletteResultsProps = {
  id: string;
  entries: readonly Entry[];
  groups: readonly HitGroup[];
  index: number;
  onPoint: (index: number) => void;
  onFollow: () => void;
};

const listId = (id: string) => `${id}list`;
const optionId = (id: string, index: number) => `${id}option${index}`;

/** The listbox that the palette's field controls: the focus stays in the field, so options are not tab stops. */
function PaletteResults({ id, entries, groups, index, onPoint, onFollow }: PaletteResultsProps) {
  const submit = useSubmit();
  const returnTo = useReturnTo();
  return (
    <CommandList id={listId(id)} aria-label={copy.results}>
      {groups.map((group, number) => {
        const first = groups.slice(0, number).reduce((sum, { hits }) => sum + hits.length, 0);
        return (
          <CommandGroup key={group.id} heading={group.title}>
            {group.hits.map((hit, place) => {
              const own = first + place;
              return (
                <CommandItem
                  key={own}
                  asChild
                  id={optionId(id, own)}
                  isSelected={own === index}
                  onPointerMove={() => {
                    if (own !== index) onPoint(own);
                  }}
                >
                  <Link
                    to={hit.to}
                    onClick={(event) => {
                      onFollow();
                      if (!hit.form) return;
                      event.preventDefault();
                      const options = { action: hit.to, replace: true, preventScrollReset: true };
                      submit({ ...hit.form, returnTo }, { method: "post", ...options });
                    }}
                  >
                    <bdi className="max-w-full min-w-0 truncate font-medium">{hit.title}</bdi>
                    {hit.detail === undefined ? null : (
                      <CommandShortcut>
                        <bdi>{hit.detail}</bdi>
                      </CommandShortcut>
                    )}
                    <Keys entry={entries.find(({ to, name }) => to === hit.to && name === hit.title)} />
                  </Link>
                </CommandItem>
              );
            })}
          </CommandGroup>
        );
      })}
    </CommandList>
  );
}

/** The keys that open a screen without the palette. */
function Keys({ entry }: { entry: Entry | undefined }) {
  if (!entry) return null;
  return (
    <KbdGroup className="sm:ml-auto pointer-coarse:hidden">
      <Kbd>g</Kbd>
      <Kbd>{entry.letter}</Kbd>
    </KbdGroup>
  );
}
