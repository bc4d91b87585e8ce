import type { ReactNode } from "react";
import { shellMessages } from "~/content/shell";
import type { Entry } from "./navigation";

const copy = shellMessages.shortcuts;

export function ShortcutList({ entries }: { entries: readonly Entry[] }) {
  return (
    <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
      <Keys title={copy.general}>
        <Key name={copy.palette}>
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd> {copy.or} <Kbd>Cmd</Kbd>
          <Kbd>K</Kbd>
        </Key>
        <Key name={copy.focusSearch}>
          <Kbd>/</Kbd>
        </Key>
        <Key name={copy.sheet}>
          <Kbd>?</Kbd>
        </Key>
      </Keys>
      <Keys title={copy.goTo}>
        {entries.map(({ to, name, letter }) => (
          <Key key={to} name={name}>
            <Kbd>g</Kbd> {copy.then} <Kbd>{letter}</Kbd>
          </Key>
        ))}
      </Keys>
    </div>
  );
}

function Keys({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="border-b pb-2 text-xs font-medium text-muted-foreground">{title}</h2>
      <dl className="divide-y">{children}</dl>
    </section>
  );
}

function Key({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 py-1.5">
      <dt>{name}</dt>
      <dd className="text-2xs whitespace-nowrap text-muted-foreground">{children}</dd>
    </div>
  );
}

function Kbd({ children }: { children: string }) {
  return (
    <kbd className="mx-0.5 inline-flex h-5.5 min-w-5.5 items-center justify-center rounded-sm border bg-muted px-1.5 font-mono text-2xs text-foreground">
      {children}
    </kbd>
  );
}
