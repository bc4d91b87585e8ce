import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { CopyButton } from "~/components/copy-button";
import { DownloadForm } from "~/components/download-form";
import { Printer } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { useHydrated } from "~/components/use-hydrated";
import type { NoticeCode } from "~/content/notices";
import { secondFactorMessages } from "~/content/second-factor";
import { paths } from "~/paths";

const copy = secondFactorMessages.issued;

type IssuedCodesProps = { issued: { isRenewed: boolean; recoveryCodes: string[] }; email: string };

/** Shows recovery codes once. A reload resends the form, whose code is then used up. */
export function IssuedCodes({ issued: { isRenewed, recoveryCodes }, email }: IssuedCodesProps) {
  const banner = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const notice: NoticeCode = isRenewed ? "recovery-codes-kept" : "second-factor-on";

  // The form that had the focus is gone.
  useEffect(() => banner.current?.focus({ preventScroll: true }), []);

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Banner ref={banner} kind="success" className="outline-none print:hidden">
        {isRenewed ? `${copy.renewed}. ${copy.oldOnesEnd}` : `${copy.turnedOn}.`}
      </Banner>
      <Card className="p-4 sm:p-6">
        <h2 className="text-base font-semibold">{copy.title}</h2>
        <p className="mt-1 max-w-[37.8em] text-muted-foreground">{copy.explains.join(" ")}</p>
        <ol
          aria-label={copy.listLabel}
          className="mt-4 grid list-none grid-cols-1 gap-x-8 gap-y-2 rounded-md border bg-muted px-4 py-3 font-mono text-base sm:grid-cols-2"
        >
          {recoveryCodes.map((code) => (
            <li key={code} className="whitespace-nowrap select-all">
              {code}
            </li>
          ))}
        </ol>
        <p className="mt-2 text-xs text-muted-foreground">
          <bdi>{email}</bdi>
        </p>
        <div className="mt-4 flex flex-wrap gap-2 print:hidden">
          <CopyButton text={recoveryCodes.join("\n")} />
          {/* The server no longer has the codes: the page sends them along. */}
          <DownloadForm action={paths.recoveryCodesFile} label={copy.download}>
            {recoveryCodes.map((code) => (
              <input key={code} type="hidden" name="code" value={code} />
            ))}
          </DownloadForm>
          {hydrated ? (
            <Button type="button" variant="outline" onClick={() => window.print()}>
              <Printer aria-hidden />
              {copy.print}
            </Button>
          ) : null}
        </div>
        <div className="mt-6 border-t pt-4 print:hidden">
          <ButtonLink to={`${paths.secondFactor}?notice=${notice}`} replace variant="default">
            {copy.kept}
          </ButtonLink>
        </div>
      </Card>
    </div>
  );
}
