import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Appearance } from "~/http/appearance";
import { paths } from "~/paths";
import type { Entry } from "./navigation";
import { useShortcuts } from "./use-shortcuts";

type OverlaysProps = {
  entries: readonly Entry[];
  shortcuts: Appearance["shortcuts"];
  /** Off for who has to choose a password first. */
  isOn: boolean;
};

// Fetched when they are opened for the first time: most pages are left without.
const Palette = lazy(() => import("./palette").catch(() => leaveFor(paths.search)));
const ShortcutSheet = lazy(() => import("./shortcut-sheet").catch(() => leaveFor(paths.shortcuts)));

/** The search and the shortcuts over the page one is on, and the keys that open them. */
export function useOverlays({ entries, shortcuts, isOn }: OverlaysProps): {
  openSearch: () => void;
  element: ReactNode;
} {
  const [opened, setOpened] = useState<"search" | "shortcuts">();
  const openSearch = () => setOpened("search");
  // The browser tells of a closed dialog a moment later, when a key may have opened the other one.
  const close = (closed: typeof opened) => () => setOpened((now) => (now === closed ? undefined : now));
  useShortcuts({ entries, shortcuts, isOn, openSearch, openSheet: () => setOpened("shortcuts") });
  return {
    openSearch,
    element: opened && (
      <Suspense fallback={null}>
        {opened === "search" ? (
          <Palette onClose={close("search")} />
        ) : (
          <ShortcutSheet entries={entries} shortcuts={shortcuts} onClose={close("shortcuts")} />
        )}
      </Suspense>
    ),
  };
}

/** What cannot be fetched any more, as after a deploy, stands on a page too. Nothing comes of it here: this page is left. */
function leaveFor(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => undefined);
}
