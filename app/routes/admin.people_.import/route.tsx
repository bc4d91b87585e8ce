import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { ChoiceField } from "~/components/choice-field";
import { DataTable, timeColumn, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { FormField } from "~/components/form-field";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { ListLink } from "~/components/text-link";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { backOfficeTitle } from "~/components/use-brand";
import { describeFileProblem, importMessages } from "~/content/imports";
import { peopleMessages } from "~/content/people";
import { refuse } from "~/http/action-result.server";
import { readFormWithFile } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { grouped } from "~/lib/format-number";
import { firstValues } from "~/lib/parse-form";
import { DELIMITERS } from "~/lib/import-file";
import { paths } from "~/paths";
import { access, imports } from "~/services/container.server";

const { list: copy, delimiters, states } = importMessages;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return { rows: await imports.list(), now: Date.now() };
}

/** Stores a file's lines, and leads to its columns. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { form, file } = await readFormWithFile(request, "file");
  const { delimiter: typed = "" } = firstValues(form);
  const refuseFile = (error: string) =>
    refuse("upload", { values: { delimiter: typed }, errors: { file: error } });
  if (file.size === 0 && file.name === "") return refuseFile(copy.noFile);
  const delimiter = DELIMITERS.find((one) => one === typed);
  const upload = await imports.upload(file, { delimiter, by: operator.email });
  return upload.ok ? seeOther(paths.peopleImportColumns(upload.id)) : refuseFile(describeFileProblem(upload));
}

export const clientAction = keepForm(({ values }) => ({
  form: "upload",
  values,
  errors: {},
  message: copy.unreached,
}));

/** Import people: a file to choose, and what was imported before. */
export default function ImportPeople() {
  const { rows, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={copy.title}
        parent={{ to: paths.people, name: peopleMessages.title }}
        state={copy.state}
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        <Upload />
        <DataTable
          caption={copy.past}
          columns={listColumns(now)}
          rows={rows}
          empty={<EmptyList title={copy.noneTitle} description={copy.none} />}
        />
      </div>
    </>
  );
}

function Upload() {
  const answer = useActionData<typeof action>();
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.upload}</CardTitle>
      </CardHeader>
      <CardContent>
        <Form method="post" encType="multipart/form-data" className="flex flex-col gap-4">
          <div className="grid items-end gap-4 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <FormField label={copy.file} hint={copy.fileHint} error={answer?.errors.file} required>
              {(control) => (
                <Input
                  {...control}
                  type="file"
                  name="file"
                  accept=".csv,.tsv,.txt,text/csv,text/plain"
                  className="py-1.5 file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-primary"
                />
              )}
            </FormField>
            <ChoiceField
              name="delimiter"
              label={copy.separator}
              value={answer?.values.delimiter ?? ""}
              any={copy.detect}
              choices={delimiters}
            />
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" disabled={isBusy}>
              {isBusy ? copy.uploading : copy.next}
            </Button>
            <p className="text-sm text-muted-foreground">{copy.steps}</p>
          </div>
        </Form>
      </CardContent>
    </Card>
  );
}

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const listColumns = (now: number): Column<Row>[] => [
  {
    name: copy.columns.file,
    cell: ({ id, fileName, state }) => (
      <ListLink to={state === "uploaded" ? paths.peopleImportColumns(id) : paths.peopleImport(id)}>
        {fileName}
      </ListLink>
    ),
  },
  {
    name: copy.columns.state,
    width: "sm:w-36",
    cell: ({ state }) => <Badge variant={STATE_BADGES[state] ?? "secondary"}>{states[state]}</Badge>,
  },
  {
    name: copy.columns.people,
    width: "sm:w-24",
    card: "labelled",
    cell: ({ storedCount }) => <span className="tabular-nums">{grouped(storedCount)}</span>,
  },
  {
    name: copy.columns.by,
    className: "sm:max-md:hidden text-muted-foreground",
    card: "caption",
    cell: ({ createdBy }) => createdBy,
  },
  timeColumn({ name: copy.columns.at, width: "sm:w-32", at: ({ createdAt }) => createdAt, now }),
];

const STATE_BADGES: Partial<Record<Row["state"], "success" | "warning" | "info">> = {
  finished: "success",
  cancelled: "warning",
  checking: "info",
  running: "info",
  undoing: "info",
};

export { Failure as ErrorBoundary } from "~/components/failure";
