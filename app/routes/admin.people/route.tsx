import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Upload } from "lucide-react";
import { Banner } from "~/components/banner";
import { ButtonLink } from "~/components/button-link";
import { ChoiceField } from "~/components/choice-field";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DayFields } from "~/components/day-fields";
import { ListDetail, useIsRowOpen } from "~/components/list-detail";
import { ListFilter, SearchField } from "~/components/list-filter";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import type { ListViews } from "~/components/saved-views";
import { TextField } from "~/components/text-field";
import { backOfficeTitle } from "~/components/use-brand";
import { audienceMessages } from "~/content/audiences";
import { peopleMessages as copy } from "~/content/people";
import { submissionMessages } from "~/content/submissions";
import { waveMessages } from "~/content/waves";
import { readListSearch } from "~/http/list-detail";
import { linkTo, toSearch } from "~/http/list-state";
import { isFiltered } from "~/http/lists/people-list";
import { capitalize } from "~/lib/capitalize";
import { CHOICES } from "~/lib/form-fields";
import { paths } from "~/paths";
import { access, savedViews } from "~/services/container.server";
import { getPeopleView, type PeopleView } from "./people.server";
import { Rows } from "./rows";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const [view, views] = await Promise.all([
    getPeopleView(readListSearch(request, params), operator.timeZone),
    savedViews.list(operator, paths.people),
  ]);
  return data({ ...view, views }, { status: view.errors ? 422 : 200 });
}

export { shouldReloadList as shouldRevalidate } from "~/http/list-detail";

/** Everybody who sent a form: search, filter, sort and export; a person opens beside them. */
export default function People() {
  const view = useLoaderData<typeof loader>();
  const { count, rows, values, errors, isFirst, next, total } = view;
  const matching = isFirst && next === undefined ? rows.length : total;
  const isRowOpen = useIsRowOpen();
  const top = (
    <>
      <PageHeader
        title={copy.title}
        state={
          isFiltered(values) && !errors && matching !== undefined
            ? copy.matching(matching)
            : copy.count(count)
        }
        actions={
          <>
            {rows.length > 0 && isFiltered(values) ? <WriteToThese view={view} count={matching} /> : null}
            {rows.length > 0 ? (
              <CsvDownloadForm
                action={`${paths.peopleExport}?${toSearch(values)}`}
                isFiltered={isFiltered(values)}
              />
            ) : null}
            <ButtonLink to={paths.peopleImports}>
              <Upload aria-hidden />
              {copy.importPeople}
            </ButtonLink>
          </>
        }
      />
      <div className="mb-2 flex flex-col gap-2">
        {view.isComplete ? null : <Banner kind="info">{copy.incomplete}</Banner>}
        {isRowOpen ? null : <Notice />}
        <FilterForm view={view} views={view.views} />
      </div>
    </>
  );
  return (
    <ListDetail top={top}>
      <Rows view={view} />
    </ListDetail>
  );
}

/** Returns why no campaign can be written to those who match; undefined where it can. */
function getReason({ q, form, mail, invitation }: PeopleView["values"]): string | undefined {
  const { cannotWrite } = audienceMessages;
  if (q !== "") return cannotWrite.search;
  if (form === "none") return cannotWrite.noForm;
  if (mail === "unsubscribed" || mail === "suppressed") return cannotWrite.suppressed;
  if (invitation === "asked") return cannotWrite.asked;
  return form === "" ? cannotWrite.anyForm : undefined;
}

/** Starts a campaign to those who match, or says why it cannot be written to them. */
function WriteToThese({ view: { values, isMany }, count }: { view: PeopleView; count: number | undefined }) {
  const { form, role, company, domain, source, confirmed, campaign, got, invitation, from, to } = values;
  const reason = getReason(values);
  if (reason) return <p className="self-center text-xs text-muted-foreground">{reason}</p>;
  const narrowing = { role, company, domain, source, confirmed, campaign, got, invitation, from, to };
  return (
    <ButtonLink to={linkTo(paths.outreachPanel, { audience: form, ...narrowing })}>
      {audienceMessages.writeTo(count ?? (isMany ? "many" : undefined))}
    </ButtonLink>
  );
}

/** Filters by name, address or company, and by what is known of a person. */
function FilterForm({
  view: { values, errors, campaigns, hasWaves },
  views,
}: { view: PeopleView } & Pick<ListViews, "views">) {
  const field = (name: "form" | "role" | "mail" | "confirmed" | "campaign" | "got" | "invitation") => ({
    name,
    value: values[name],
    error: errors?.[name],
  });
  const moreNames = [
    "role",
    "company",
    "domain",
    "source",
    "mail",
    "confirmed",
    "campaign",
    "got",
    "invitation",
    "from",
    "to",
  ] as const;
  return (
    <ListFilter
      label={copy.tableLabel}
      page={paths.people}
      values={values}
      saved={{ list: paths.people, values, views }}
      moreNames={moreNames}
      isMoreOpen={moreNames.some((name) => errors?.[name])}
      more={
        <>
          <ChoiceField
            {...field("role")}
            label={copy.role}
            any={copy.any}
            choices={Object.fromEntries(
              CHOICES["early-access"].map((choice) => [choice, capitalize(choice)]),
            )}
          />
          <ChoiceField {...field("mail")} label={copy.mail} any={copy.any} choices={copy.emailStates} />
          <TextField
            label={copy.companyContains}
            error={errors?.company}
            name="company"
            defaultValue={values.company}
            autoComplete="off"
          />
          <TextField
            label={copy.domain}
            error={errors?.domain}
            name="domain"
            defaultValue={values.domain}
            autoComplete="off"
            autoCapitalize="none"
          />
          <TextField
            label={submissionMessages.source}
            name="source"
            defaultValue={values.source}
            autoComplete="off"
            autoCapitalize="none"
          />
          <ChoiceField
            {...field("confirmed")}
            label={copy.confirmed}
            any={copy.any}
            choices={copy.confirmedStates}
          />
          <ChoiceField
            {...field("campaign")}
            label={audienceMessages.campaign}
            any={audienceMessages.anyCampaign}
            choices={Object.fromEntries(campaigns.map(({ id, title }) => [id, title]))}
          />
          <ChoiceField
            {...field("got")}
            label={audienceMessages.got}
            any={audienceMessages.receipts.sent}
            choices={audienceMessages.otherReceipts}
          />
          {hasWaves || values.invitation !== "" ? (
            <ChoiceField
              {...field("invitation")}
              label={audienceMessages.invitation}
              any={audienceMessages.anyInvitation}
              choices={waveMessages.filters}
            />
          ) : null}
          <DayFields values={values} errors={errors} />
        </>
      }
    >
      <SearchField label={copy.searchLabel} error={errors?.q} name="q" defaultValue={values.q} />
      <ChoiceField
        {...field("form")}
        label={copy.form}
        any={copy.any}
        choices={{ ...submissionMessages.forms, none: copy.noForms }}
      />
    </ListFilter>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
