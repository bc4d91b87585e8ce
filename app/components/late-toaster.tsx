import { useEffect, useState, type ComponentType } from "react";
import type { ToasterProps } from "~/components/toaster";

/**
 * The toaster, fetched with the first focus on the page: after its first load, and before anybody can send a form. Until it is
 * there, and where it never comes, messages stay in the page.
 */
export function LateToaster(props: ToasterProps) {
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
