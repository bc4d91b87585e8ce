import { Link } from "@remix-run/react";
import { useEffect, useRef, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { DialogPage } from "~/components/dialog-page";
import { buttonVariants } from "~/components/ui/button";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import { useLeaveAfter } from "./use-leave-after";

/** How long the thanks stand before the dialog closes by itself (specification, section 9). */
const CLOSE_AFTER_MS = seconds(2);

type SignupDialogProps = {
  title: string;
  description: string;
  thanked: boolean;
  /** What stands in the dialog once the signup is stored: the catalogue's sentence, then what it means. */
  thanks: { sentence: string; more: ReactNode; stays?: boolean };
  /** The form. */
  children: ReactNode;
};

/** A signup over the landing page: the form, then the thanks in its place. */
export function SignupDialog({ title, description, thanked, thanks, children }: SignupDialogProps) {
  return (
    <DialogPage title={title} description={thanked ? undefined : description} closeTo={paths.landing}>
      {thanked ? <Thanks {...thanks} /> : children}
    </DialogPage>
  );
}

function Thanks({ sentence, more, stays = false }: SignupDialogProps["thanks"]) {
  const close = useRef<HTMLAnchorElement>(null);
  useEffect(() => close.current?.focus(), []);
  useLeaveAfter(CLOSE_AFTER_MS, !stays);
  return (
    <>
      <Banner kind="success">{sentence}</Banner>
      <div className="mt-4 flex max-w-[60ch] flex-col gap-3 text-base text-muted-foreground">{more}</div>
      <Link
        ref={close}
        to={paths.landing}
        preventScrollReset
        replace
        className={buttonVariants({ variant: "secondary", className: "mt-6" })}
      >
        Close
      </Link>
    </>
  );
}
