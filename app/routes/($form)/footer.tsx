import { ArrowUpRight } from "lucide-react";
import { Logo } from "~/components/logo";
import { useBrand } from "~/components/use-brand";
import { measure } from "./section";
import { NewTabLink } from "./new-tab-link";
import { useTexts } from "./use-texts";

export function Footer() {
  const { social, privacyUrl, imprintUrl } = useBrand();
  const { tagline, networks, links, copyright } = useTexts();
  const accounts = [
    { label: networks.linkedin, href: social.linkedin },
    { label: networks.twitter, href: social.twitter },
    { label: networks.instagram, href: social.instagram },
  ];
  const legal = [
    { label: links.privacy, href: privacyUrl },
    { label: links.imprint, href: imprintUrl },
  ];
  return (
    <footer className="border-t bg-recess">
      <div className={`${measure} flex flex-col gap-10 py-14 md:flex-row md:items-start md:justify-between`}>
        <div>
          <Logo className="text-lg" />
          <p className="mt-3 max-w-[20.2em] text-sm text-muted-foreground">{tagline}.</p>
        </div>
        <ul className="flex flex-wrap gap-x-8 gap-y-1 md:-mt-2">
          {accounts.map(({ label, href }) =>
            href ? (
              <li key={label}>
                <NewTabLink
                  href={href}
                  className="flex h-11 items-center gap-1 text-sm hover:text-primary hover:underline hover:underline-offset-4"
                >
                  {label}
                  <ArrowUpRight aria-hidden className="size-3.5 text-muted-foreground" />
                </NewTabLink>
              </li>
            ) : null,
          )}
        </ul>
      </div>
      <div
        className={`${measure} flex flex-col gap-x-8 gap-y-3 pb-10 text-xs text-muted-foreground sm:flex-row sm:justify-between`}
      >
        <p>{copyright}</p>
        {privacyUrl || imprintUrl ? (
          <ul className="-my-3.5 flex flex-wrap gap-x-6">
            {legal.map(({ label, href }) =>
              href ? (
                <li key={label}>
                  <NewTabLink
                    href={href}
                    className="flex h-11 items-center hover:text-foreground hover:underline hover:underline-offset-4"
                  >
                    {label}
                  </NewTabLink>
                </li>
              ) : null,
            )}
          </ul>
        ) : null}
      </div>
    </footer>
  );
}
