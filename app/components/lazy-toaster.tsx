import { useEffect, useState, type ComponentType } from "react";
import type { ToasterProps } from "~/components/toaster";

/**
 * Loads the toaster on the first focus on the page: after the page's first load, and before anybody can send
 * a form. Until it is loaded, or when it fails to load, messages stay in the page.
 */
export function LazyToaster(props: ToasterProps) {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType<ToasterProps> }>();
  useEffect(() => {
    const load = () => {
      import("~/components/toaster").then(setLoaded, () => undefined);
    };
    document.addEventListener("focusin", load, { once: true });
    return () => document.removeEventListener("focusin", load);
  }, []);
  return loaded ? <loaded.Toaster {...props} /> : null;
}
