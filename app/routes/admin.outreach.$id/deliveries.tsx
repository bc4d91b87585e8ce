import { DeliveryDetail, DeliveryStateBadge } from "~/components/state-badge";
import { DeliveryTable } from "~/components/delivery-table";
import { HiddenFields } from "~/components/hidden-fields";
import { ListFilter } from "~/components/list-filter";
import { PersonLink } from "~/components/person-link";
import { TextField } from "~/components/text-field";
import { campaignStatusMessages as copy } from "~/content/outreach";
import { linkTo, toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import type { CampaignView } from "./campaign-view.server";

/** Lists the recipients with the state of each delivery. */
export function Deliveries({ view: { campaign, page, values, rows, older, now } }: { view: CampaignView }) {
  return (
    <DeliveryTable
      caption={copy.tableCaption}
      recipient={copy.address}
      rows={rows}
      subject={(row) => <PersonLink id={row.person}>{row.address}</PersonLink>}
      state={(row) => <DeliveryStateBadge state={row.state} />}
      detail={(row) => <DeliveryDetail delivery={row} />}
      now={now}
      empty={copy.noRows}
      download={linkTo(paths.outreachExport(campaign.id), values)}
      more={
        older === undefined ? undefined : { to: linkTo(page, { ...values, after: older }), name: copy.more }
      }
    />
  );
}

/** Searches the listed recipients by the start of their address. */
export function SearchForm({ view: { page, values } }: { view: CampaignView }) {
  const { state, reason, q } = values;
  return (
    <ListFilter
      label={copy.searchRecipients}
      page={page}
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
