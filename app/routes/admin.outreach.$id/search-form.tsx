import { Field } from "~/components/field";
import { ListFilter } from "~/components/list-filter";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { DeliveryFilter } from "~/services/outreach/book.server";
import { toDeliverySearch } from "./delivery-filter";

const copy = operatorMessages.outreachBooks;

/** Finds recipients by the start of their address, among those that are listed. */
export function SearchForm({ sendId, filter }: { sendId: string; filter: DeliveryFilter }) {
  const { state, reason, prefix } = filter;
  return (
    <ListFilter
      label={copy.searchRecipients}
      page={paths.outreachSend(sendId)}
      isFiltered={toDeliverySearch(filter) !== ""}
      button="secondary"
      className="md:grid-cols-[minmax(0,1fr)_auto]"
    >
      {state ? <input type="hidden" name="state" value={state} /> : null}
      {reason ? <input type="hidden" name="reason" value={reason} /> : null}
      <Field label={copy.search} className="max-md:col-span-full">
        {(control) => (
          <Input
            {...control}
            size="dense"
            type="search"
            name="q"
            maxLength={254}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            defaultValue={prefix}
          />
        )}
      </Field>
    </ListFilter>
  );
}
