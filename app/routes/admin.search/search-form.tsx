import { Form } from "@remix-run/react";
import { Search } from "~/components/icons";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.shell.search;

/** What was typed stands in the URL. */
export function SearchForm({ typed, of }: { typed: string; of: "people" | undefined }) {
  return (
    <Form method="get" action={paths.search} role="search" aria-label={copy.title} className="flex gap-2">
      {of ? <input type="hidden" name="of" value={of} /> : null}
      <div className="relative flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          name="q"
          size="dense"
          defaultValue={typed}
          maxLength={254}
          aria-label={copy.field}
          placeholder={copy.placeholder}
          autoComplete="off"
          autoFocus={typed === ""}
          className="pl-9"
        />
      </div>
      <Button type="submit" size="dense">
        {copy.submit}
      </Button>
    </Form>
  );
}
