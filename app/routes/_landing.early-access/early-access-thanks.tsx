import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { DialogPage } from "~/components/dialog-page";
import { buttonVariants } from "~/components/ui/button";
import { messages } from "~/messages";
import { paths } from "~/paths";

/** How long the thanks stand before the dialog closes by itself (specification, section 9; JavaScript only). */
const CLOSE_AFTER_MS = 2000;

/** What stands in the dialog once the signup is stored. */
export function EarlyAccessThanks() {
  const navigate = useNavigate();
  const close = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    close.current?.focus();
    const timer = setTimeout(() => {
      navigate(paths.landing, { preventScrollReset: true });
    }, CLOSE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [navigate]);

  return (
    <DialogPage title="Sign Up for Early Access" closeTo={paths.landing}>
      <Banner kind="success">{messages.signup.earlyAccess.success}</Banner>
      <p className="mt-4 max-w-[60ch] text-base text-muted-foreground">
        You are on the list. We write to you when the beta opens for your team, in about six months, and not
        before there is something to try.
      </p>
      <Link
        ref={close}
        to={paths.landing}
        preventScrollReset
        className={buttonVariants({ variant: "secondary", className: "mt-6" })}
      >
        Close
      </Link>
    </DialogPage>
  );
}
