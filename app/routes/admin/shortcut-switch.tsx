import { Form, useLocation } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import type { Appearance } from "~/http/appearance";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.shell.shortcuts;

/** Turns single keys off and on, and leads back to the page it stands on (WCAG 2.1.4). */
export function ShortcutSwitch({ shortcuts }: { shortcuts: Appearance["shortcuts"] }) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={paths.appearance} replace preventScrollReset>
      <input type="hidden" name="returnTo" value={pathname + search} />
      <Button
        type="submit"
        name="shortcuts"
        value={shortcuts === "on" ? "off" : "on"}
        variant="secondary"
        size="dense"
      >
        {shortcuts === "on" ? copy.off : copy.on}
      </Button>
    </Form>
  );
}
