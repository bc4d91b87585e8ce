import { Field } from "~/components/field";
import { ListFilter } from "~/components/list-filter";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { HiddenFields } from "~/components/hidden-fields";
import { toSearch } from "~/http/list-state";
import type { DeliveryValues } from "./delivery-filter";

const copy = operatorMessages.outreachBooks;

/** Finds recipients by the start of their address, among those that are listed. */
export function SearchForm({ campaignId, values }: { campaignId: string; values: DeliveryValues }) {
  const { state, reason, q } = values;
  return (
    <ListFilter
      label={copy.searchRecipients}
      page={paths.outreachCampaign(campaignId)}
      isFiltered={toSearch(values) !== ""}
      button="secondary"
      className="md:grid-cols-[minmax(0,1fr)_auto]"
    >
      <HiddenFields values={{ state, reason }} />
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
            defaultValue={q}
          />
        )}
      </Field>
    </ListFilter>
  );
}
