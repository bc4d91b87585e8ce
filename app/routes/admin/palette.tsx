import { Link, useFetcher, useNavigate, useSubmit } from "@remix-run/react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { connection } from "~/components/connection";
import { Search } from "lucide-react";
import { ModalDialog } from "~/components/modal-dialog";
import { shellMessages } from "~/content/shell";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { clientLoader } from "../admin.search/route";
import type { Group } from "../admin.search/sources.server";
import { useReturnTo } from "./appearance-controls";

/** Typing must pause this long before a request is sent. */
const PAUSE_MS = 120;
const copy = shellMessages.search;

/** The search over the current page (WAI-ARIA combobox with a listbox popup): the focus stays in the field. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { load, data } = useFetcher<typeof clientLoader>();
  const navigate = useNavigate();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  // The active option belongs to one response; in the next one it is the first again.
  const [chosen, setChosen] = useState<{ index: number; of: typeof data }>({ index: 0, of: undefined });
  const index = chosen.of === data ? chosen.index : 0;
  const groups = data?.groups ?? [];
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);

  useEffect(() => {
    // A newer query aborts the older request.
    const search = () => {
      // A first request fetches the route's module too, and a failure of that would reload the document.
      if (connection.isLost()) connection.tell(copy.failed);
      else load(paths.searchResults(typed));
    };
    const timer = setTimeout(search, typed === "" ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [load, typed]);
  useEffect(() => {
    document.getElementById(optionId(id, index))?.scrollIntoView({ block: "nearest" });
  });

  const close = () => field.current?.closest("dialog")?.close();
  const choose = (next: number) => setChosen({ index: (next + count) % count, of: data });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const option = data?.typed === typed ? document.getElementById(optionId(id, index)) : undefined;
      if (option) return option.click();
      // Enter came before the response: the search page handles it.
      close();
      navigate(paths.searchResults(typed));
    }
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count > 0) {
      event.preventDefault();
      choose(index + (event.key === "ArrowDown" ? 1 : -1));
    }
  };

  return (
    <ModalDialog label={copy.title} onClose={onClose} className="mt-[12vh] max-w-xl">
      <div className="flex max-h-[76vh] flex-col">
        <div className="flex items-center gap-3 border-b px-4">
          <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          <input
            ref={field}
            autoFocus
            type="text"
            role="combobox"
            aria-label={copy.field}
            aria-autocomplete="list"
            aria-expanded={count > 0}
            aria-controls={listId(id)}
            aria-activedescendant={count > 0 ? optionId(id, index) : undefined}
            value={typed}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            placeholder={copy.placeholder}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted-foreground"
          />
        </div>
        <p role="status" className="sr-only">
          {data && data.typed === typed ? copy.found(count) : ""}
        </p>
        <PaletteResults id={id} groups={groups} index={index} onPoint={choose} onFollow={close} />
        {data?.failed ? <p className="px-4 pb-4 text-destructive">{copy.failed}</p> : null}
        {data && count === 0 && !data.failed ? (
          <p className="px-4 pb-4 wrap-anywhere text-muted-foreground">{copy.nothingTitle(data.typed)}.</p>
        ) : null}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t px-4 py-2 text-2xs text-muted-foreground">
          <p className="pointer-coarse:hidden">{copy.paletteHint}</p>
          <Link
            to={paths.searchResults(typed)}
            onClick={close}
            className="rounded-sm underline-offset-4 hover:text-foreground hover:underline"
          >
            {copy.openPage}
          </Link>
        </div>
      </div>
    </ModalDialog>
  );
}

type PaletteResultsProps = {
  id: string;
  groups: readonly Group[];
  index: number;
  onPoint: (index: number) => void;
  onFollow: () => void;
};

const listId = (id: string) => `${id}list`;
const optionId = (id: string, index: number) => `${id}option${index}`;

/** The listbox that the palette's field controls: the focus stays in the field, so options are not tab stops. */
function PaletteResults({ id, groups, index, onPoint, onFollow }: PaletteResultsProps) {
  const submit = useSubmit();
  const returnTo = useReturnTo();
  return (
    <div
      id={listId(id)}
      role="listbox"
      aria-label={copy.results}
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
                    const options = { action: hit.to, replace: true, preventScrollReset: true };
                    submit({ ...hit.form, returnTo }, { method: "post", ...options });
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
