import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useId } from "react";
import { ButtonLink } from "~/components/button-link";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, timeColumn, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { IntentButton } from "~/components/intent-button";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { TextField } from "~/components/text-field";
import { ListLink } from "~/components/text-link";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { Checkbox } from "~/components/ui/checkbox";
import { Field, FieldContent, FieldDescription, FieldLabel } from "~/components/ui/field";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { savedViewMessages as copy } from "~/content/saved-views";
import { linkTo } from "~/http/list-state";
import { findSavedList } from "~/http/lists/saved-lists";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import { access, savedViews } from "~/services/container.server";
import { actOnViews, readShown } from "./actions.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/**
 * `?list=` is the path of a list, with its filter and order beside it; left out, the views of all lists are shown.
 * `&change=` opens a view's form, `&delete=` asks before it is deleted.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  // `query` is the filter and order of the list, and `state` what each link to this screen keeps.
  const { list, values, query, state } = readShown(searchParams);
  const all = await savedViews.list(operator, list?.path);
  const rows = all.flatMap((view) => {
    const name = findSavedList(view.list)?.name;
    return name === undefined ? [] : [{ ...view, listName: name, to: `${view.list}?${view.query}` }];
  });
  const findChangeable = (parameter: "change" | "delete") =>
    rows.find(({ id, canChange }) => canChange && id === searchParams.get(parameter));
  return {
    rows,
    state,
    query,
    list: list && { name: list.name, to: linkTo(list.path, values) },
    isSaved: rows.some((row) => row.query === query),
    edited: findChangeable("change"),
    toDelete: findChangeable("delete"),
    now: Date.now(),
  };
}

type ViewsView = Awaited<ReturnType<typeof loader>>;
type Row = ViewsView["rows"][number];

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnViews(request, operator);
}

export const clientAction = keepForm(({ values: { intent, name = "", share } }) =>
  // The other buttons have nothing typed.
  intent === "save" || intent === "change"
    ? { form: "view", message: copy.notSaved, name, isShared: share === "on" }
    : {},
);

/** The saved views of one list or of all: saving what a list showed, and changing and deleting views. */
export default function SavedViewsPage() {
  const view = useLoaderData<typeof loader>();
  const { rows, state, query, list, isSaved, edited, toDelete } = view;
  const inert = useInert(toDelete !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader title={copy.title} parent={list && { to: list.to, name: list.name }} state={copy.state} />
        <Notice className="mb-4" />
        <div className="flex flex-col gap-4">
          {edited ? (
            <ViewForm key={edited.id} view={view} edited={edited} />
          ) : list && query !== "" && !isSaved ? (
            <ViewForm key="new" view={view} edited={undefined} />
          ) : null}
          {rows.length > 0 || query === "" ? <Views view={view} /> : null}
        </div>
      </div>
      {toDelete ? <DeleteQuestion row={toDelete} state={state} /> : null}
    </>
  );
}

interface ViewFormProps {
  view: ViewsView;
  /** The view whose form it is; undefined for a new one. */
  edited: Row | undefined;
}

/** Names a view and says who may use it. */
function ViewForm({ view: { state, query, list }, edited }: ViewFormProps) {
  const refused = useActionData<typeof action>();
  const isSaving = useNavigation().formData !== undefined;
  const id = useId();
  const closeTo = edited ? linkTo(paths.savedViews, state) : (list?.to ?? paths.savedViews);
  return (
    <Card role="region" aria-labelledby={id} className="max-w-5xl">
      <CardHeader>
        <CardTitle id={id}>
          <bdi>{edited ? copy.changeTitle(edited.name) : copy.saveTitle}</bdi>
        </CardTitle>
      </CardHeader>
      <CardContent>
        <Form
          method="post"
          action={linkTo(paths.savedViews, { ...state, change: edited?.id })}
          className="flex flex-col gap-4"
        >
          <HiddenFields values={{ view: edited?.id }} />
          <div className="flex flex-col gap-1">
            <p className="text-sm font-medium">{copy.shown}</p>
            <Query query={edited?.query ?? query} />
          </div>
          <div className="grid items-start gap-x-6 gap-y-4 sm:grid-cols-2">
            <TextField
              label={copy.name}
              error={refused?.errors.name}
              required
              name="name"
              maxLength={toMaxLength(60)}
              autoComplete="off"
              autoFocus
              defaultValue={refused?.name ?? edited?.name}
            />
            <Field orientation="horizontal" className="sm:pt-7">
              <Checkbox
                id={`${id}-share`}
                name="share"
                defaultChecked={refused?.isShared ?? edited?.isShared}
                aria-describedby={`${id}-hint`}
                className="mt-0.5"
              />
              <FieldContent>
                <FieldLabel htmlFor={`${id}-share`}>{copy.share}</FieldLabel>
                <FieldDescription id={`${id}-hint`}>{copy.shareHint}</FieldDescription>
              </FieldContent>
            </Field>
          </div>
          <div className="flex flex-wrap gap-2">
            <IntentButton intent={edited ? "change" : "save"} variant="default" disabled={isSaving}>
              {edited ? copy.saveChange : copy.submit}
            </IntentButton>
            <ButtonLink to={closeTo} variant="ghost">
              {copy.cancel}
            </ButtonLink>
          </div>
        </Form>
      </CardContent>
    </Card>
  );
}

/** Shows the parameters of a list's URL, which are the filter and the order. */
function Query({ query }: { query: string }) {
  return (
    <p className="flex flex-wrap gap-x-3 font-mono text-xs leading-5 wrap-anywhere">
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <span key={name}>
          <span className="text-muted-foreground">{name}=</span>
          <bdi>{value}</bdi>
        </span>
      ))}
    </p>
  );
}

const { columns: names } = copy;

function Views({ view: { rows, state, query, now } }: { view: ViewsView }) {
  const columns: (Column<Row> | undefined)[] = [
    {
      name: names.name,
      cell: ({ to, name }) => (
        <ListLink to={to} className="font-medium text-foreground">
          <bdi className="line-clamp-2" title={name}>
            {name}
          </bdi>
        </ListLink>
      ),
    },
    state.list === undefined
      ? { name: names.list, width: "sm:w-32 lg:w-40", card: "caption", cell: ({ listName }) => listName }
      : undefined,
    {
      name: names.query,
      width: "sm:max-lg:hidden lg:w-[22%]",
      className: "sm:max-lg:hidden",
      cell: (row) => <Query query={row.query} />,
    },
    {
      name: names.seenBy,
      width: "sm:w-32 2xl:w-64",
      className: "text-muted-foreground",
      card: "caption",
      cell: ({ isShared, isOwn, by }) =>
        !isShared ? copy.alone : isOwn || by === null ? copy.everyone : copy.sharedBy(by),
    },
    // There is no room for it beside the button that updates.
    query === ""
      ? timeColumn({ name: names.changed, width: "sm:w-29", at: ({ changed_at }) => changed_at, now })
      : undefined,
    {
      name: names.actions,
      width: query === "" ? "sm:w-52 lg:w-44" : "sm:w-96",
      className: "max-sm:order-last max-sm:mt-1 sm:text-right",
      isHeaderHidden: true,
      cell: (row) => (row.canChange ? <Actions row={row} state={state} query={query} /> : null),
    },
  ];
  return (
    <DataTable
      caption={copy.tableCaption}
      columns={columns.filter((column) => column !== undefined)}
      rows={rows}
      empty={<EmptyList title={copy.emptyTitle} description={copy.empty} />}
    />
  );
}

const SMALL = "md:text-xs pointer-fine:md:-my-1 pointer-fine:md:h-7 pointer-fine:md:px-2";

type ActionsProps = { row: Row } & Pick<ViewsView, "state" | "query">;

function Actions({ row: { id, name, query: saved }, state, query }: ActionsProps) {
  const hidden = <span className="sr-only"> {name}</span>;
  return (
    <div className="flex flex-wrap gap-2 sm:justify-end">
      {query === "" || query === saved ? null : (
        <Form method="post" action={linkTo(paths.savedViews, state)}>
          <HiddenFields values={{ view: id }} />
          <IntentButton intent="update" className={SMALL}>
            {copy.update}
            {hidden}
          </IntentButton>
        </Form>
      )}
      <ButtonLink to={linkTo(paths.savedViews, { ...state, change: id })} className={SMALL}>
        {copy.change}
        {hidden}
      </ButtonLink>
      <ButtonLink
        to={linkTo(paths.savedViews, { ...state, delete: id })}
        preventScrollReset
        data-delete
        variant="destructive-ghost"
        className={SMALL}
      >
        {copy.delete}
        {hidden}
      </ButtonLink>
    </div>
  );
}

/** Asks before a view is deleted. Its address is `?delete=...`. */
function DeleteQuestion({ row: { id, name, isShared }, state }: { row: Row } & Pick<ViewsView, "state">) {
  return (
    <ConfirmDialog
      {...copy.question}
      closeTo={linkTo(paths.savedViews, state)}
      intent="delete"
      isDestructive
      fields={<HiddenFields values={{ view: id }} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="font-medium">{name}</bdi>
      </p>
      <p>{isShared ? copy.lostToAll : copy.lost}</p>
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
