import { useHydrated } from "~/components/use-hydrated";
import { cn } from "~/lib/class-names";

/**
 * Selects or deselects every `id` of its form: nothing is lost without it, so it comes with JavaScript. Its place is kept from the
 * start, or what stands beside it would move away under a pointer.
 */
export function SelectAll({ label }: { label: string }) {
  const hydrated = useHydrated();
  return (
    <label
      className={cn(
        "flex min-h-9 items-center gap-3 pl-1 text-xs text-muted-foreground pointer-coarse:min-h-11 noscript:hidden",
        hydrated ? undefined : "invisible",
      )}
    >
      <input
        type="checkbox"
        className="size-4 accent-primary"
        onChange={({ currentTarget: { checked, form } }) => {
          for (const box of form?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? []) {
            box.checked = checked;
          }
        }}
      />
      {label}
    </label>
  );
}
