import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { paths } from "~/paths";

/**
 * With JavaScript a form's thanks go by themselves (specification, section 9): the page goes back to its plain address,
 * and nothing else on it moves. Without JavaScript they stay.
 */
export function useLeaveAfter(ms: number, thanked: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!thanked) return;
    const timer = setTimeout(() => {
      navigate(paths.landing, { preventScrollReset: true, replace: true });
    }, ms);
    return () => clearTimeout(timer);
  }, [navigate, ms, thanked]);
}
