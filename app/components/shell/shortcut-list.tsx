import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { Kbd, KbdGroup } from "~/components/ui/kbd";
import { shellMessages } from "~/content/shell";
import type { Entry } from "./navigation";

const copy = shellMessages.shortcuts;

/** What app/components/list-keys.ts does, and routes/admin/overlays.tsx for the way back; Enter opens a link by itself. */
const LIST_KEYS: readonly { name: string; keys: readonly ReactNode[] }[] = [
  { name: copy.list.next, keys: ["j", <ArrowDown key="down" role="img" aria-label={copy.arrows.down} />] },
  { name: copy.list.previous, keys: ["k", <ArrowUp key="up" role="img" aria-label={copy.arrows.up} />] },
  { name: copy.list.open, keys: ["Enter"] },
  { name: copy.list.select, keys: ["x"] },
  { name: copy.list.extend, keys: ["Shift x", "Shift j", "Shift k"] },
  { name: copy.list.remove, keys: ["#"] },
  { name: copy.list.back, keys: ["Esc"] },
];

export function ShortcutList({ entries }: { entries: readonly Entry[] }) {
  return (
    <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
      <div className="flex flex-col gap-6">
        <Keys title={copy.general}>
          <Key name={copy.palette}>
            <KbdGroup>
              <Kbd>Ctrl</Kbd>
              <Kbd>K</Kbd>
            </KbdGroup>{" "}
            {copy.or}{" "}
            <KbdGroup>
              <Kbd>Cmd</Kbd>
              <Kbd>K</Kbd>
            </KbdGroup>
          </Key>
          <Key name={copy.focusSearch}>
            <Kbd>/</Kbd>
          </Key>
          <Key name={copy.sheet}>
            <Kbd>?</Kbd>
          </Key>
        </Keys>
        <Keys title={copy.inLists}>
          {LIST_KEYS.map(({ name, keys: [key, ...others] }) => (
            <Key key={name} name={name}>
              <Kbd>{key}</Kbd>
              {others.map((other, index) => (
                <Fragment key={index}>
                  {" "}
                  {copy.or} <Kbd>{other}</Kbd>
                </Fragment>
              ))}
            </Key>
          ))}
        </Keys>
      </div>
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
