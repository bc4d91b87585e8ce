import type { ReactNode } from "react";

type PageHeaderProps = {
  title: string;
  /** One sentence about the current state: "Last signup 4 minutes ago." */
  state?: ReactNode;
  actions?: ReactNode;
};

export function PageHeader({ title, state, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h1 className="text-lg font-semibold tracking-tight wrap-anywhere">
          <bdi>{title}</bdi>
        </h1>
        {state ? <p className="max-w-[68ch] text-sm text-muted-foreground">{state}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  );
}
