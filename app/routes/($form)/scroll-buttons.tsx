import { useSyncExternalStore } from "react";
import { ChevronDown, ChevronUp, type LucideIcon } from "lucide-react";
import { useTexts } from "./use-texts";

/** Scroll distance at which the buttons appear (specification, section 9). */
const SHOWN_BEYOND_PX = 100;

function watchScrolling(onChange: () => void) {
  window.addEventListener("scroll", onChange, { passive: true });
  return () => window.removeEventListener("scroll", onChange);
}

/** In the page's right margin, where they cover neither content nor the push card. They need JavaScript. */
export function ScrollButtons() {
  const { navigation } = useTexts();
  const shown = useSyncExternalStore(
    watchScrolling,
    () => window.scrollY > SHOWN_BEYOND_PX,
    () => false,
  );
  if (!shown) return null;
  return (
    // Narrower than a Button on small screens, where the page's margin is.
    <div
      data-print="no"
      className="fixed top-1/2 right-0 z-20 flex -translate-y-1/2 animate-fade flex-col divide-y rounded-l-md border border-r-0 bg-card lg:right-1 lg:rounded-md lg:border-r"
    >
      <ScrollButton icon={ChevronUp} name={navigation.scrollToTop} target={() => 0} />
      <ScrollButton
        icon={ChevronDown}
        name={navigation.scrollToBottom}
        target={() => document.documentElement.scrollHeight}
      />
    </div>
  );
}

function ScrollButton({
  icon: Icon,
  name,
  target,
}: {
  icon: LucideIcon;
  name: string;
  target: () => number;
}) {
  const scroll = () => {
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    window.scrollTo({ top: target(), behavior: isCalm ? "instant" : "smooth" });
  };
  return (
    <button
      type="button"
      aria-label={name}
      onClick={scroll}
      className="flex h-11 w-[1.4375rem] items-center justify-center text-muted-foreground transition-colors first:rounded-tl-md last:rounded-bl-md hover:bg-muted hover:text-foreground sm:w-8 lg:w-9 lg:first:rounded-tr-md lg:last:rounded-br-md"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
