import { ArrowUpRight } from "lucide-react";
import { Logo } from "~/components/logo";
import { brand } from "~/content/brand";
import { measure } from "./frame";

const social = [
  { label: "LinkedIn", href: brand.social.linkedin },
  { label: "Twitter", href: brand.social.twitter },
  { label: "Instagram", href: brand.social.instagram },
];

export function Footer() {
  return (
    <footer className="border-t bg-recess">
      <div className={`${measure} flex flex-col gap-10 py-14 md:flex-row md:items-start md:justify-between`}>
        <div>
          <Logo className="text-lg" />
          <p className="mt-3 max-w-[20.2em] text-sm text-muted-foreground">{brand.tagline}.</p>
        </div>
        <ul className="flex flex-wrap gap-x-8 gap-y-1 md:-mt-2">
          {social.map(({ label, href }) => (
            <li key={label}>
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                className="flex h-11 items-center gap-1 text-sm hover:text-primary hover:underline hover:underline-offset-4"
              >
                {label}
                <ArrowUpRight aria-hidden className="size-3.5 text-muted-foreground" />
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <p className={`${measure} pb-10 text-xs text-muted-foreground`}>
        © {brand.copyrightYear} {brand.name}. All rights reserved.
      </p>
    </footer>
  );
}
