import { Link, useNavigate } from "@remix-run/react";
import { ArrowRight } from "~/components/icons";
import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { buttonVariants } from "~/components/ui/button";
import { mirrorUser, type MirroredUser } from "~/components/user-mirror";
import { seconds } from "~/lib/durations";
import { messages } from "~/content/messages";

/** Specification, section 9. Without JavaScript the page refreshes itself after whole seconds. */
const MOVES_ON_MS = seconds(1.5);
const MOVES_ON_WITHOUT_JS_S = 2;

type SignedInProps = {
  user: MirroredUser;
  /** A path of the back office, checked by the server. */
  next: string;
};

/** Says that the login succeeded and moves on by itself, with JavaScript and without. */
export function SignedIn({ user, next }: SignedInProps) {
  const navigate = useNavigate();
  const banner = useRef<HTMLDivElement>(null);

  useEffect(() => mirrorUser(user), [user]);
  useEffect(() => {
    // The form that had the focus is gone.
    banner.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => navigate(next, { replace: true }), MOVES_ON_MS);
    return () => clearTimeout(timer);
  }, [navigate, next]);

  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={`${MOVES_ON_WITHOUT_JS_S};url=${next}`} />
      </noscript>
      <Banner ref={banner} kind="success" className="mt-5 outline-none">
        {messages.login.success}
      </Banner>
      <Link to={next} replace className={buttonVariants({ variant: "secondary", className: "mt-6 w-full" })}>
        Continue to the back office
        <ArrowRight aria-hidden />
      </Link>
      <p className="mt-6 border-t pt-5 text-xs wrap-anywhere text-muted-foreground">
        Signed in as <bdi>{user.email}</bdi>
      </p>
    </>
  );
}
