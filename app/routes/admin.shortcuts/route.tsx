import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useOutletContext } from "@remix-run/react";
import { PageHeader } from "~/components/page-header";
import { Card, CardContent, CardFooter } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { access } from "~/services/container.server";
import type { Frame } from "../admin/route";
import { ShortcutList } from "../admin/shortcut-list";
import { ShortcutSwitch } from "../admin/shortcut-switch";

const copy = operatorMessages.shell.shortcuts;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return null;
}

/** The keys there are, and the way to turn them off; everything they do is a link somewhere. */
export default function Shortcuts() {
  const { entries, shortcuts } = useOutletContext<Frame>();
  return (
    <>
      <PageHeader title={copy.title} state={copy.state[shortcuts]} />
      <Card className="max-w-3xl">
        <CardContent>
          <ShortcutList entries={entries} />
        </CardContent>
        <CardFooter className="flex-wrap justify-between gap-4">
          <p className="max-w-[60ch] text-xs text-muted-foreground">{copy.why}</p>
          <ShortcutSwitch shortcuts={shortcuts} />
        </CardFooter>
      </Card>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
