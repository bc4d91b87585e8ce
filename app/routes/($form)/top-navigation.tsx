import type { KeyboardEvent, SyntheticEvent } from "react";
import { Menu, X } from "lucide-react";
import { Link } from "@remix-run/react";
import { Logo } from "~/components/logo";
import { anchors, paths } from "~/paths";
import { measure } from "./section";
import { UpdatesLink } from "./updates-link";
import { useTexts } from "./use-texts";

type InMenu = Pick<SyntheticEvent<HTMLElement>, "currentTarget">;

function closeMenu({ currentTarget }: InMenu) {
  currentTarget.closest("details")?.removeAttribute("open");
}

/**
 * Closes the menu once the jump has ended: app/tailwind.css makes a jump smooth only while its link is hovered or focused, and
 * closing hides the link.
 * Without JavaScript, or in a browser without this event, the menu stays open, out of sight: the bar is not sticky.
 */
function closeMenuAfterJump({ currentTarget }: InMenu) {
  document.addEventListener("scrollend", () => closeMenu({ currentTarget }), { once: true });
}

function closeMenuByEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  if (event.key !== "Escape") return;
  closeMenu(event);
  event.currentTarget.querySelector("summary")?.focus();
}

export function TopNavigation() {
  const { navigation } = useTexts();
  const entries = [
    { label: navigation.about, anchor: anchors.about },
    { label: navigation.faqs, anchor: anchors.faqs },
    { label: navigation.contact, anchor: anchors.contact },
  ];
  return (
    <header className="z-30 border-b bg-background md:sticky md:top-0">
      <nav
        aria-label={navigation.label}
        className={`${measure} relative flex h-16 items-center gap-8 md:h-18`}
      >
        <Link to={paths.landing} aria-label={navigation.toTop} className="-m-2 rounded-md p-2">
          <Logo className="text-lg" />
        </Link>
        <ul className="ml-auto hidden items-center gap-1 md:flex">
          {entries.map(({ label, anchor }) => (
            <li key={anchor}>
              <a
                href={`#${anchor}`}
                className="flex h-11 items-center rounded-md px-4 text-base text-muted-foreground transition-colors hover:text-foreground"
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
        <UpdatesLink variant="outline" className="hidden md:inline-flex" />
        <details onKeyDown={closeMenuByEscape} className="group ml-auto md:hidden">
          <summary
            aria-label={navigation.menu}
            className="-mr-2.5 flex size-11 items-center justify-center rounded-md hover:bg-muted"
          >
            <Menu aria-hidden className="size-5 group-open:hidden" />
            <X aria-hidden className="hidden size-5 group-open:block" />
          </summary>
          <div className="absolute inset-x-0 top-full z-30 border-b bg-background px-6 pt-2 pb-6 shadow-float sm:px-8">
            <ul onClick={closeMenuAfterJump} className="mb-4 divide-y">
              {entries.map(({ label, anchor }) => (
                <li key={anchor}>
                  <a href={`#${anchor}`} className="flex h-14 items-center text-lg">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
            <UpdatesLink onClick={closeMenu} className="w-full" />
          </div>
        </details>
      </nav>
    </header>
  );
}
