import { useLocation, useNavigate } from "@remix-run/react";
import { forwardRef, useEffect, type ComponentPropsWithoutRef } from "react";

export interface LinkProps extends Omit<ComponentPropsWithoutRef<"a">, "href"> {
  to: string;
  /** Replaces the current entry in the browser's history. */
  replace?: boolean | undefined;
  preventScrollReset?: boolean | undefined;
  reloadDocument?: boolean | undefined;
}

/** Not Remix's own, which matches all routes for each link: a third of a long list's time. `useLinkNavigation` follows it. */
export const Link = forwardRef<HTMLAnchorElement, LinkProps>(function Link(
  { to, replace, preventScrollReset, reloadDocument, ...props },
  ref,
) {
  return (
    <a
      {...props}
      ref={ref}
      href={to}
      data-replace={replace ? "" : undefined}
      data-keep-scroll={preventScrollReset ? "" : undefined}
      data-reload={reloadDocument ? "" : undefined}
    />
  );
});

/** Returns whether the page is at a path or below it, whatever the case of its letters. */
export function useIsCurrent(): (path: string) => boolean {
  const here = `${useLocation().pathname.toLowerCase()}/`;
  return (path) => here.startsWith(`${path}/`);
}

/**
 * Follows all links inside the application without loading a document. Leaves to the browser what Remix's own link
 * leaves to it, links with `data-reload`, and links to a part of the same page. For the root alone.
 */
export function useLinkNavigation(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.defaultPrevented || !isPlainClick(event) || !isFollowed(link)) return;
      event.preventDefault();
      navigate(link.pathname + link.search + link.hash, {
        replace: "replace" in link.dataset || link.href === window.location.href,
        preventScrollReset: "keepScroll" in link.dataset,
      });
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}

const isPlainClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;

function isFollowed(link: HTMLAnchorElement): boolean {
  const { origin, pathname, search } = window.location;
  const isElsewhere = link.origin !== origin || (link.target !== "" && link.target !== "_self");
  const isPartOfPage = link.hash !== "" && link.pathname === pathname && link.search === search;
  return !isElsewhere && !isPartOfPage && !link.hasAttribute("download") && !("reload" in link.dataset);
}
