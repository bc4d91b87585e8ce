import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { CodeField } from "~/components/code-field";
import { CopyButton } from "~/components/copy-button";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { QrPicture } from "./qr-picture";
import { Refusal } from "./refusal";
import type { Refused } from "./refusal";

const copy = operatorMessages.secondFactor;
const { enrolling } = copy;

interface EnrolmentProps {
  secret: string;
  qrCode: { size: number; path: string };
  refused: Refused | undefined;
}

/** The key goes into the app, and a first code proves that it arrived; what the third step shows comes with the answer. */
export function Enrolment({ secret, qrCode, refused }: EnrolmentProps) {
  const busy = useNavigation().formData?.get("intent") === "confirm";
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLInputElement>("input[name=code]")?.select();
  }, [refused]);

  return (
    <Card>
      <ol className="divide-y">
        <Step number={1} title={enrolling.scanTitle}>
          <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
            <QrPicture qrCode={qrCode} label={enrolling.qrLabel} />
            <div className="min-w-0 flex-1 basis-60">
              <p className="text-muted-foreground">{enrolling.keyLabel}</p>
              <div className="mt-2 flex flex-wrap items-center gap-2">
                <code className="rounded-md border bg-muted px-3 py-2 font-mono text-sm tracking-wide wrap-anywhere">
                  {inFours(secret)}
                </code>
                <CopyButton text={secret} />
              </div>
            </div>
          </div>
        </Step>
        <Step number={2} title={enrolling.codeTitle}>
          <Form ref={form} method="post" className="flex max-w-sm flex-col gap-4">
            <Refusal refused={busy ? undefined : refused} />
            <CodeField
              kind="authentication"
              size="dense"
              label={copy.code}
              hint={enrolling.codeHint}
              error={refused?.errors.code}
            />
            <Button
              type="submit"
              name="intent"
              value="confirm"
              size="dense"
              disabled={busy}
              className="self-start"
            >
              {enrolling.confirm}
            </Button>
          </Form>
        </Step>
        <Step number={3} title={enrolling.keepTitle}>
          <p className="text-muted-foreground">{enrolling.keepExplains}</p>
        </Step>
      </ol>
      <Form method="post" className="border-t px-4 py-3 sm:px-6">
        <Button type="submit" name="intent" value="abandon" variant="quiet" size="dense" className="-ml-3">
          {enrolling.abandon}
        </Button>
      </Form>
    </Card>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-4 py-5 sm:px-6">
      <span
        aria-hidden
        className="flex size-6 items-center justify-center rounded-md bg-primary-surface text-xs font-semibold text-primary tabular-nums"
      >
        {number}
      </span>
      <div className="min-w-0">
        <h2 className="mb-3 leading-6 font-semibold">{title}</h2>
        {children}
      </div>
    </li>
  );
}

/** As it is typed from a screen; apps do not mind the blanks. */
function inFours(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, "$& ");
}
