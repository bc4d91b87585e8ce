import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Appearance } from "~/http/appearance-cookie.server";
import { paths } from "~/paths";
import type { Entry } from "./navigation";
import { useShortcuts } from "./use-shortcuts";

type OverlaysProps = {
  entries: readonly Entry[];
  shortcuts: Appearance["shortcuts"];
  isOn: boolean;
};

// Loaded when first opened: most pages never need them.
const Palette = lazy(() => import("./palette").catch(() => leaveTo(paths.search)));
const ShortcutSheet = lazy(() => import("./shortcut-sheet").catch(() => leaveTo(paths.shortcuts)));

export function useOverlays({ entries, shortcuts, isOn }: OverlaysProps): {
  openSearch: () => void;
  element: ReactNode;
} {
  const [opened, setOpened] = useState<"search" | "shortcuts">();
  const openSearch = () => setOpened("search");
  // The browser reports a closed dialog a moment later, when a key may have opened the other one.
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

/** Loads the page with the same content when a chunk cannot be fetched. Never resolves: this page is left. */
function leaveTo(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => undefined);
}
