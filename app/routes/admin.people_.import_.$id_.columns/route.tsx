import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useId } from "react";
import { ChoiceField } from "~/components/choice-field";
import { FormField } from "~/components/form-field";
import { IntentButton } from "~/components/intent-button";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { TextLink } from "~/components/text-link";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { Checkbox } from "~/components/ui/checkbox";
import { Field, FieldContent, FieldDescription, FieldLabel } from "~/components/ui/field";
import { NativeSelect } from "~/components/ui/native-select";
import {
  Table,
  TableBody,
  TableCaption,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "~/components/ui/table";
import { Textarea } from "~/components/ui/textarea";
import { backOfficeTitle } from "~/components/use-brand";
import { importMessages, settingsProblems } from "~/content/imports";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { discardImport, reportImportGone } from "~/http/import-actions.server";
import { seeOther } from "~/http/redirects.server";
import {
  CONSENT_MAX_LENGTH,
  guessMapping,
  IMPORT_FIELDS,
  IMPORTED_KINDS,
  type ImportField,
} from "~/lib/import-columns";
import { CHOSEN_ENCODINGS } from "~/lib/import-encoding";
import { firstValues, textField } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, imports, mirrorInUse } from "~/services/container.server";
import { findSettingsProblem } from "~/services/imports/imports.server";

const { columnsPage: copy, fields, kinds, delimiters, encodings, dateOrders } = importMessages;
const PREVIEWED = 10;
/** Name of the form's field that says which of the file's columns is this one of ours. */
const toColumnName = (field: ImportField) => `column-${field}`;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const found = await imports.find(params.id ?? "");
  if (!found) throw seeOther(paths.peopleImports);
  if (found.startedAt !== null) throw seeOther(paths.peopleImport(found.id));
  const { columns, delimiter, isEncodingChosen, encoding, lineCount, id, fileName } = found;
  const names = columns.map(({ name }, index) => name || importMessages.column(index + 1));
  const isMapped = found.mapping.email !== undefined;
  const mapping = isMapped ? found.mapping : guessMapping(columns.map(({ name }) => name));
  const dates = mapping.signed_up_at === undefined ? undefined : columns[mapping.signed_up_at];
  const values: Record<string, string> = {
    ...Object.fromEntries(IMPORT_FIELDS.map((field) => [toColumnName(field), `${mapping[field] ?? ""}`])),
    kind: found.kind || "early-access",
    consent: found.consent,
    dateOrder: found.dateOrder || (dates?.order ?? ""),
    mirror: found.isMirrored ? "on" : "",
  };
  return {
    id,
    fileName,
    lineCount,
    delimiter,
    names,
    rows: await imports.preview(id, PREVIEWED),
    encoding: isEncodingChosen ? encoding : undefined,
    hasAmbiguousDates: columns.some(({ needsOrder }) => needsOrder),
    hasMirror: mirrorInUse !== undefined,
    values,
  };
}

/** Chooses the encoding, starts the dry run, or discards the file. */
export async function action({ request, params }: ActionFunctionArgs) {
  await access.requireAccount(request);
  const values = firstValues(await readForm(request));
  const { id = "" } = params;
  const { intent } = values;
  if (intent === "discard") return discardImport(imports, id);
  const found = await imports.find(id);
  if (!found || found.startedAt !== null) return reportImportGone(imports, id);
  // Also before the dry run, where nobody applied it.
  const encoding = CHOSEN_ENCODINGS.find((one) => one === values.encoding && one !== found.encoding);
  const outcome = encoding && (await imports.chooseEncoding(id, encoding));
  if (outcome?.ok === false) return reportImportGone(imports, id);
  if (intent === "encoding") {
    // Shown at once and not by a redirect, so that what is typed below stays.
    return data({ kind: "kept" as const, form: "encoding", values, errors: {} });
  }
  const columnOf = (field: ImportField) => {
    const typed = values[toColumnName(field)] ?? "";
    return /^\d{1,3}$/.test(typed) && Number(typed) < found.columns.length ? Number(typed) : undefined;
  };
  const mapping = Object.fromEntries(
    IMPORT_FIELDS.flatMap((field) => {
      const column = columnOf(field);
      return column === undefined ? [] : [[field, column]];
    }),
  );
  const consent = textField({ label: "where the consent comes from", max: CONSENT_MAX_LENGTH }).safeParse(
    values.consent,
  );
  if (!consent.success) {
    return refuse("check", { values, errors: { consent: consent.error.issues[0]?.message } });
  }
  const settings = {
    kind: IMPORTED_KINDS.find((one) => one === values.kind) ?? "early-access",
    mapping,
    consent: consent.data,
    dateOrder: values.dateOrder === "dmy" || values.dateOrder === "mdy" ? values.dateOrder : "",
    isMirrored: mirrorInUse !== undefined && values.mirror === "on",
  } as const;
  const problem = findSettingsProblem(found, settings);
  if (problem) {
    const at = { email: toColumnName("email"), consent: "consent", "date-order": "dateOrder" }[problem];
    return refuse("check", { values, errors: { [at]: settingsProblems[problem] } });
  }
  const { ok } = await imports.check(id, settings);
  return ok ? report(undefined, paths.peopleImport(id)) : reportImportGone(imports, id);
}

export const clientAction = keepForm(({ values }) => ({ form: "check", values, errors: {} }));

type View = ReturnType<typeof useLoaderData<typeof loader>>;

/** What the columns of a file are, beside its first rows. */
export default function ImportColumns() {
  const view = useLoaderData<typeof loader>();
  const { fileName, lineCount, delimiter } = view;
  return (
    <>
      <PageHeader
        title={fileName}
        parent={{ to: paths.peopleImports, name: importMessages.list.title }}
        state={copy.state(importMessages.lines(lineCount), delimiters[delimiter])}
      />
      <Notice className="mb-4" />
      <Form method="post" className="flex flex-col gap-4">
        <Preview view={view} />
        <Settings view={view} />
      </Form>
    </>
  );
}

function Preview({ view: { names, rows, encoding } }: { view: View }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.preview}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        {encoding === undefined ? null : (
          <div className="flex flex-wrap items-end gap-3">
            <FormField label={copy.encoding} hint={copy.encodingHint} className="min-w-64 flex-1">
              {(control) => (
                <NativeSelect {...control} name="encoding" defaultValue={encoding}>
                  {CHOSEN_ENCODINGS.map((one) => (
                    <option key={one} value={one}>
                      {encodings[one]}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </FormField>
            <IntentButton intent="encoding" formNoValidate>
              {copy.applyEncoding}
            </IntentButton>
          </div>
        )}
        {/* Focusable, so that the keys scroll it. */}
        <div
          className="overflow-x-auto rounded-md border focus-visible:outline-2 focus-visible:outline-ring"
          tabIndex={0}
          role="region"
          aria-label={copy.preview}
        >
          <Table className="w-max min-w-full table-auto">
            <TableCaption className="sr-only">{copy.preview}</TableCaption>
            <TableHeader>
              <TableRow>
                {names.map((name, index) => (
                  <TableHead key={index} scope="col" className="max-w-64 truncate">
                    <bdi>{name}</bdi>
                  </TableHead>
                ))}
              </TableRow>
            </TableHeader>
            <TableBody>
              {rows.map((cells, row) => (
                <TableRow key={row}>
                  {names.map((_, index) => (
                    <TableCell key={index} className="max-w-64 truncate" title={cells[index]}>
                      <bdi>{cells[index]}</bdi>
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
        <p className="text-sm text-muted-foreground">
          {copy.wrongSeparator} <TextLink to={paths.peopleImports}>{copy.uploadAgain}</TextLink>.
        </p>
      </CardContent>
    </Card>
  );
}

function Settings({ view }: { view: View }) {
  const answer = useActionData<typeof action>();
  const isBusy = useNavigation().formData?.get("intent") === "check";
  const values = answer?.values ?? view.values;
  const errors: Partial<Record<string, string | undefined>> = answer?.errors ?? {};
  const mirrorId = useId();
  return (
    <>
      <Card>
        <CardHeader>
          <CardTitle>{copy.mapTitle}</CardTitle>
        </CardHeader>
        <CardContent className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {IMPORT_FIELDS.map((field) => (
            <FormField
              key={field}
              label={fields[field]}
              hint={copy.hints[field]}
              error={errors[toColumnName(field)]}
              required={field === "email" ? true : undefined}
            >
              {(control) => (
                <NativeSelect
                  {...control}
                  name={toColumnName(field)}
                  defaultValue={values[toColumnName(field)]}
                >
                  <option value="">{copy.notInFile}</option>
                  {view.names.map((name, index) => (
                    <option key={index} value={`${index}`}>
                      {name}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </FormField>
          ))}
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>{copy.settingsTitle}</CardTitle>
        </CardHeader>
        <CardContent className="flex max-w-5xl flex-col gap-4">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <FormField label={copy.kind}>
              {(control) => (
                <NativeSelect {...control} name="kind" defaultValue={values.kind}>
                  {IMPORTED_KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {kinds[kind]}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </FormField>
            {view.hasAmbiguousDates ? (
              <ChoiceField
                name="dateOrder"
                label={copy.dateOrder}
                value={values.dateOrder ?? ""}
                any={copy.chooseOrder}
                choices={dateOrders}
                error={errors.dateOrder}
              />
            ) : null}
          </div>
          <FormField label={copy.consent} hint={copy.consentHint} error={errors.consent}>
            {(control) => (
              <Textarea
                {...control}
                name="consent"
                rows={2}
                className="min-h-16"
                maxLength={CONSENT_MAX_LENGTH}
                defaultValue={values.consent}
              />
            )}
          </FormField>
          {view.hasMirror ? (
            <Field orientation="horizontal">
              <Checkbox
                id={mirrorId}
                name="mirror"
                value="on"
                defaultChecked={values.mirror === "on"}
                aria-describedby={`${mirrorId}-hint`}
                className="mt-0.5"
              />
              <FieldContent>
                <FieldLabel htmlFor={mirrorId}>{copy.mirror}</FieldLabel>
                <FieldDescription id={`${mirrorId}-hint`}>{copy.mirrorHint}</FieldDescription>
              </FieldContent>
            </Field>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <IntentButton intent="check" variant="default" disabled={isBusy}>
              {copy.check}
            </IntentButton>
            <IntentButton intent="discard" variant="ghost" formNoValidate>
              {copy.discard}
            </IntentButton>
          </div>
        </CardContent>
      </Card>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
