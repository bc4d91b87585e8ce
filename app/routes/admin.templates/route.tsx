import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import { Plus } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, NoValue, timeColumn, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { ListLink } from "~/components/text-link";
import { RecentDeletions } from "~/components/recent-deletions";
import { UndoButton } from "~/components/undo-button";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { templateMessages as copy } from "~/content/templates";
import { writingMessages } from "~/content/writing";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { linkTo, sortedList } from "~/http/list-state";
import { getActor } from "~/http/request-context.server";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, templates } from "~/services/container.server";
import { TEMPLATE_SORTS } from "~/services/outreach/template-sorts";
import type { ListedTemplate } from "~/services/outreach/templates.server";

const templatesList = sortedList(TEMPLATE_SORTS);

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const { values, filter: order } = templatesList.readLoosely(searchParams);
  const [rows, recent] = await Promise.all([templates.list(order), templates.listDeleted()]);
  const question = rows.find(({ id }) => id === searchParams.get("delete"));
  return { values, rows, recent, question, now: Date.now() };
}

type TemplatesView = Awaited<ReturnType<typeof loader>>;

/** Deletes a template, or restores it. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { intent, template = "", ...fields } = firstValues(await readForm(request));
  const { values } = templatesList.readLoosely(new URLSearchParams(fields));
  const actor = getActor(request, operator);
  if (intent === "delete") {
    const isDeleted = await templates.remove(template, actor);
    return isDeleted
      ? report("template-deleted", paths.templates, { ...values, deleted: template })
      : report("template-gone", paths.templates, values);
  }
  if (intent === "undo") {
    const outcome = await templates.restore(template, actor);
    return report(outcome.ok ? "template-restored" : UNDO_NOTICES[outcome.error], paths.templates, values);
  }
  return report(undefined, paths.templates, values);
}

const UNDO_NOTICES = {
  over: "template-deletion-over",
  "name-taken": "template-name-taken",
  "too-many": "templates-full",
} as const;

export const clientAction = keepForm();

/** The Templates screen: all templates of campaigns, with deletion and its undo. */
export default function Templates() {
  const view = useLoaderData<typeof loader>();
  const inert = useInert(view.question !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={copy.title}
          state={copy.state}
          actions={
            <ButtonLink to={paths.newTemplate} variant="default">
              <Plus aria-hidden />
              {copy.write}
            </ButtonLink>
          }
        />
        <ActionResult view={view} />
        <div className="flex flex-col gap-4">
          <TemplateList view={view} />
          <RecentDeletions
            title={copy.recentTitle}
            deletions={view.recent}
            now={view.now}
            describe={({ name, deleted_by }) => <bdi>{copy.recent(name, deleted_by)}</bdi>}
            renderUndo={({ id }, describedBy) => (
              <Undo template={id} values={view.values} describedBy={describedBy} />
            )}
          />
        </div>
      </div>
      {view.question ? <DeleteQuestion template={view.question} values={view.values} /> : null}
    </>
  );
}

/** Shows the result of the last form; a deletion with its undo button. */
function ActionResult({ view }: { view: TemplatesView }) {
  const [search] = useSearchParams();
  const isDeletion = useNotice() === "template-deleted";
  const deleted = view.recent.find(({ id }) => isDeletion && id === search.get("deleted"));
  return (
    <Notice className="mb-4">
      {deleted ? (
        <div className="mt-2">
          <Undo template={deleted.id} values={view.values} takesFocus />
        </div>
      ) : null}
    </Notice>
  );
}

const { columns: names } = copy;

function TemplateList({ view: { values, rows, now } }: { view: TemplatesView }) {
  const columns: Column<ListedTemplate>[] = [
    {
      name: names.name,
      sort: "name",
      cell: ({ id, name }) => (
        <ListLink to={paths.template(id)} className="font-medium text-foreground">
          <bdi className="line-clamp-2 md:line-clamp-1 md:break-all" title={name}>
            {name}
          </bdi>
        </ListLink>
      ),
    },
    {
      name: names.format,
      width: "sm:w-24",
      className: "text-muted-foreground sm:max-md:hidden",
      card: "caption",
      cell: ({ format }) => writingMessages.formats[format],
    },
    {
      name: names.defaultFor,
      width: "sm:w-36 xl:w-48",
      card: ({ defaultOf }) => (defaultOf.length > 0 ? "labelled" : "absent"),
      cell: ({ defaultOf }) =>
        defaultOf.length > 0 ? <span>{defaultOf.join(", ")}</span> : <NoValue>{copy.noDefault}</NoValue>,
    },
    {
      name: names.used,
      sort: "used",
      width: "sm:w-26",
      className: "tabular-nums",
      card: "caption",
      cell: ({ used }) => copy.used(used),
    },
    {
      name: names.changedBy,
      width: "lg:w-44 xl:w-56",
      className: "text-muted-foreground sm:max-lg:hidden",
      card: "caption",
      cell: ({ changed_by }) => changed_by,
    },
    timeColumn({
      name: names.changed,
      sort: "changed",
      width: "sm:w-29",
      at: ({ changed_at }) => changed_at,
      now,
    }),
    {
      name: names.actions,
      width: "sm:w-24",
      className: "max-sm:order-last max-sm:mt-1 sm:text-right",
      isHeaderHidden: true,
      cell: ({ id, name }) => (
        <ButtonLink
          to={linkTo(paths.templates, { ...values, delete: id })}
          preventScrollReset
          data-delete
          variant="destructive-ghost"
          className="md:text-xs pointer-fine:md:-my-1 pointer-fine:md:h-7 pointer-fine:md:px-2"
        >
          {copy.delete}
          <span className="sr-only"> {name}</span>
        </ButtonLink>
      ),
    },
  ];
  return (
    <DataTable
      caption={copy.listTitle}
      columns={columns}
      rows={rows}
      sorting={{ path: paths.templates, sorts: TEMPLATE_SORTS, values }}
      empty={
        <EmptyList
          title={copy.emptyTitle}
          description={copy.empty}
          action={{ to: paths.newTemplate, name: copy.write }}
        />
      }
    />
  );
}

interface UndoProps extends Pick<TemplatesView, "values"> {
  template: string;
  /** Id of the element that describes the deletion. */
  describedBy?: string;
  /** True for the deletion that the page reports: the button gets the focus. */
  takesFocus?: boolean;
}

/** Undoes a deletion. */
function Undo({ template, values, describedBy, takesFocus = false }: UndoProps) {
  return (
    <Form method="post" action={linkTo(paths.templates, values)}>
      <HiddenFields values={{ ...values, template }} />
      <UndoButton aria-describedby={describedBy} takesFocus={takesFocus}>
        {copy.undo}
      </UndoButton>
    </Form>
  );
}

interface DeleteQuestionProps extends Pick<TemplatesView, "values"> {
  template: ListedTemplate;
}

/** Asks before a template is deleted. Its address is `?delete=...`. */
function DeleteQuestion({ template: { id, name, defaultOf }, values }: DeleteQuestionProps) {
  const { text, ...question } = copy.question;
  return (
    <ConfirmDialog
      {...question}
      closeTo={linkTo(paths.templates, values)}
      intent="delete"
      isDestructive
      fields={<HiddenFields values={{ ...values, template: id }} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="font-medium">{name}</bdi>
      </p>
      <p>
        {text} {defaultOf.length > 0 ? copy.noLonger(defaultOf) : null}
      </p>
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
