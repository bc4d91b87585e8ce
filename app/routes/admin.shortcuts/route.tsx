import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useOutletContext } from "@remix-run/react";
import { PageHeader } from "~/components/page-header";
import { Button } from "~/components/ui/button";
import { Card, CardContent, CardFooter } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { shellMessages } from "~/content/shell";
import { access } from "~/services/container.server";
import { AppearanceForm } from "~/components/shell/appearance-controls";
import type { LayoutData } from "~/components/shell/navigation";
import { ShortcutList } from "~/components/shell/shortcut-list";

const copy = shellMessages.shortcuts;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return null;
}

/** Lists the keyboard shortcuts and turns single-key ones off (WCAG 2.1.4); each has a link that does the same. */
export default function Shortcuts() {
  const { entries, shortcuts } = useOutletContext<LayoutData>();
  const isOn = shortcuts === "on";
  return (
    <>
      <PageHeader title={copy.title} state={copy.state[shortcuts]} />
      <Card className="max-w-3xl">
        <CardContent>
          <ShortcutList entries={entries} />
        </CardContent>
        <CardFooter className="flex-wrap justify-between gap-4">
          <p className="max-w-[37.8em] text-xs text-muted-foreground">{copy.why}</p>
          <AppearanceForm>
            <Button type="submit" name="shortcuts" value={isOn ? "off" : "on"} variant="outline">
              {isOn ? copy.off : copy.on}
            </Button>
          </AppearanceForm>
        </CardFooter>
      </Card>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
