import { DeliveryDetail, DeliveryStateBadge } from "~/components/delivery-state-badge";
import { DeliveryTable } from "~/components/delivery-table";
import { PersonLink } from "~/components/person-link";
import { linkTo, toSearch } from "~/http/list-state";
import { campaignStatusMessages as copy } from "~/content/outreach";
import { paths } from "~/paths";
import type { Delivery } from "~/services/outreach/campaign-stats.server";
import type { DeliveryValues } from "./delivery-filter";
import { TextField } from "~/components/text-field";
import { ListFilter } from "~/components/list-filter";
import { HiddenFields } from "~/components/hidden-fields";

interface DeliveriesProps {
  campaignId: string;
  values: DeliveryValues;
  /** `person`: the id of one of their submissions. */
  rows: (Delivery & { person: string | undefined })[];
  /** The last id shown, when there are more. */
  next: string | undefined;
  now: number;
}

/** Lists the recipients with the state of each delivery. */
export function Deliveries({ campaignId, values, rows, next, now }: DeliveriesProps) {
  const { address, state, detail, attempts, updated } = copy;
  const toNext = linkTo(paths.outreachCampaign(campaignId), { ...values, after: next });
  return (
    <DeliveryTable
      caption={copy.tableCaption}
      names={{ subject: address, state, detail, attempts, updated }}
      rows={rows}
      subject={(row) => <PersonLink id={row.person}>{row.address}</PersonLink>}
      state={(row) => <DeliveryStateBadge state={row.state} />}
      detail={(row) => <DeliveryDetail delivery={row} />}
      now={now}
      empty={copy.noRows}
      download={{ action: linkTo(paths.outreachExport(campaignId), values), name: copy.download }}
      more={next === undefined ? undefined : { to: toNext, name: copy.more }}
    />
  );
}

/** Searches the listed recipients by the start of their address. */
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
      <TextField
        label={copy.search}
        className="max-md:col-span-full"

        type="search"
        name="q"
        maxLength={254}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        defaultValue={q}
      />
    </ListFilter>
  );
}
