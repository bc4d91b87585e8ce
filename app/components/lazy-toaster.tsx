import { useEffect, useState, type ComponentType } from "react";
import type { ToasterProps } from "~/components/ui/toaster";

/** Loads the toaster on the first focus, after the page. Until then, or on failure, messages stay in the page. */
export function LazyToaster(props: ToasterProps) {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType<ToasterProps> }>();
  useEffect(() => {
    const load = () => {
      import("~/components/ui/toaster").then(setLoaded, () => undefined);
    };
    document.addEventListener("focusin", load, { once: true });
    return () => document.removeEventListener("focusin", load);
  }, []);
  return loaded ? <loaded.Toaster {...props} /> : null;
}
