import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { CopyButton } from "~/components/copy-button";
import { DownloadForm } from "~/components/download-form";
import { Printer } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { Item } from "~/components/ui/item";
import { useHydrated } from "~/components/use-hydrated";
import type { NoticeCode } from "~/content/notices";
import { secondFactorMessages } from "~/content/second-factor";
import { paths } from "~/paths";

const copy = secondFactorMessages.issued;

type IssuedCodesProps = { issued: { isRenewed: boolean; recoveryCodes: string[] }; email: string };

/** Shows recovery codes once: they are in the answer to the form alone. Sent again, as by a reload without JavaScript, it shows none. */
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
      <Card>
        <CardHeader>
          <CardTitle>{copy.title}</CardTitle>
          <CardDescription className="max-w-[37.8em] text-sm">{copy.explains.join(" ")}</CardDescription>
        </CardHeader>
        <CardContent className="flex flex-col gap-4">
          <div className="flex flex-col gap-2">
            <Item
              asChild
              variant="muted"
              size="sm"
              className="grid grid-cols-1 gap-x-8 font-mono text-base sm:grid-cols-2"
            >
              <ol aria-label={copy.listLabel}>
                {recoveryCodes.map((code) => (
                  <li key={code} className="whitespace-nowrap select-all">
                    {code}
                  </li>
                ))}
              </ol>
            </Item>
            <p className="text-xs text-muted-foreground">
              <bdi>{email}</bdi>
            </p>
          </div>
          <div className="flex flex-wrap gap-2 print:hidden">
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
        </CardContent>
        <CardFooter className="print:hidden">
          <ButtonLink to={`${paths.secondFactor}?notice=${notice}`} replace variant="default">
            {copy.kept}
          </ButtonLink>
        </CardFooter>
      </Card>
    </div>
  );
}
