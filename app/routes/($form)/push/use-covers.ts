import { useEffect, useState, type RefObject } from "react";

/** Returns whether a fixed element covers elements that match `others`, a selector, as the page scrolls. */
export function useCovers(element: RefObject<HTMLElement>, others: string): boolean {
  const [covers, setCovers] = useState(false);
  useEffect(() => {
    const fixed = element.current;
    if (!fixed) return;
    const covered = new Set<Element>();
    let observer: IntersectionObserver | undefined;
    const watch = () => {
      observer?.disconnect();
      covered.clear();
      const { top, right, bottom, left } = fixed.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      // Shrinks the observed area of the window to the element's rectangle.
      const margins = [top, clientWidth - right, clientHeight - bottom, left];
      observer = new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) covered.add(target);
            else covered.delete(target);
          }
          setCovers(covered.size > 0);
        },
        { rootMargin: margins.map((margin) => `${-margin}px`).join(" ") },
      );
      for (const other of document.querySelectorAll(others)) observer.observe(other);
    };
    const resize = new ResizeObserver(watch);
    resize.observe(fixed);
    // While it enters, its rectangle is moved.
    fixed.addEventListener("animationend", watch);
    window.addEventListener("resize", watch);
    return () => {
      observer?.disconnect();
      resize.disconnect();
      fixed.removeEventListener("animationend", watch);
      window.removeEventListener("resize", watch);
    };
  }, [element, others]);
  return covers;
}
