import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { z } from "zod";
import { Banner } from "~/components/banner";
import { FormField } from "~/components/form-field";
import { keepForm, toUnanswered } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { TextField } from "~/components/text-field";
import { IntentButton } from "~/components/intent-button";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { Textarea } from "~/components/ui/textarea";
import { backOfficeTitle } from "~/components/use-brand";
import { useLast } from "~/components/use-last";
import { suppressionMessages } from "~/content/suppressions";
import { refuse, report } from "~/http/action-result.server";
import { readFormWithFile } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { decodeText } from "~/lib/decode-text";
import { toMaxLength } from "~/lib/max-length";
import { emailField, parseForm, textField, firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, suppressions } from "~/services/container.server";
import { newId } from "~/services/service-deps";
import { readAddressList } from "~/services/suppressions/suppression-list.server";

const copy = suppressionMessages.addPage;
/** Invalid lines quoted above the form, and the characters of each. */
const MAX_SHOWN = 5;
const MAX_SHOWN_LENGTH = 300;

const schema = z.object({
  address: emailField({ label: "the address" }),
  note: textField({ label: "the note", max: 200 }),
});

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const count = (name: string) => Number(/^\d{1,7}$/.exec(searchParams.get(name) ?? "")?.[0] ?? 0);
  return {
    added: count("added"),
    alreadyThere: count("there"),
    form: searchParams.get("form"),
    id: searchParams.get("id"),
  };
}

/** Adds one address, or all addresses of a text and a file. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { form, file } = await readFormWithFile(request, "file");
  const by = getActor(request, operator);
  const { intent, list = "" } = firstValues(form);
  if (intent === "one") {
    const parsed = parseForm(schema, form);
    if (!parsed.ok) return refuse("one", parsed);
    const isNew = await suppressions.add(parsed.value.address, parsed.value.note, by);
    return reportAdded("one", isNew ? { added: 1, alreadyThere: 0 } : { added: 0, alreadyThere: 1 });
  }
  if (intent !== "many") return report(undefined, paths.suppressionsAdd);

  const fileText = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (!fileText.ok) {
    const nothing = { added: 0, alreadyThere: 0 };
    const fileError = copy.fileEncoding(fileText.line);
    return refuse("many", {
      added: nothing,
      wrong: 0,
      first: [],
      kept: 0,
      list,
      error: undefined,
      fileError,
    });
  }
  const read = await readAddressList([list, fileText.text]);
  const added = await suppressions.importAll(read, by);
  const { wrong, firstWrong } = read;
  if (wrong === 0 && read.addresses.length > 0) return reportAdded("many", added);
  return refuse("many", {
    added,
    wrong,
    first: firstWrong.slice(0, MAX_SHOWN).map(({ textIndex, line, text }) => ({
      line,
      isOfFile: textIndex === 1,
      text: text.slice(0, MAX_SHOWN_LENGTH),
    })),
    kept: firstWrong.length,
    /** The field's text: the lines left to correct. */
    list: firstWrong.map((line) => line.text).join("\n"),
    error: wrong === 0 ? copy.nothingGiven : copy.stillWrong,
    fileError: undefined,
  });
}

export const clientAction = keepForm(({ values }) => ({ form: values.intent, list: values.list }));

/**
 * Redirects with the result in the URL, so that a reload repeats the message and not the action. `?id=` tells it from
 * the next one, which may have the same numbers.
 */
function reportAdded(
  form: "one" | "many",
  { added, alreadyThere }: { added: number; alreadyThere: number },
): Response {
  const result = { added: `${added}`, there: `${alreadyThere}`, form, id: newId() };
  return report(undefined, paths.suppressionsAdd, result);
}

/** Adds suppressed addresses: one with a note, or many at once. */
export default function AddSuppressions() {
  const done = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  // A response empties its form by a new key. Without one a form keeps what was typed, and the selected file: when the
  // other one was answered, or while the page loads its data again.
  const { key: location } = useLocation();
  const getEnd = (form: "one" | "many") => {
    if (!answer) return done.form === form && done.id ? done.id : undefined;
    return answer.form === form && !toUnanswered(answer) ? location : undefined;
  };
  const oneEnd = useLast(getEnd("one"));
  const manyEnd = useLast(getEnd("many"));
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state}
        parent={{ to: paths.suppressions, name: suppressionMessages.title }}
      />
      {answer === undefined && done.added + done.alreadyThere > 0 ? (
        <Banner kind="success" className="mb-4">
          {done.added > 0 ? copy.added(done.added) : null}{" "}
          {done.alreadyThere > 0 ? copy.alreadyThere(done.alreadyThere) : null}
        </Banner>
      ) : null}
      <Notice className="mb-4" />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <OneAddress key={`one-${oneEnd}`} answer={answer?.form === "one" ? answer : undefined} />
        <ManyAddresses key={`many-${manyEnd}`} answer={answer?.form === "many" ? answer : undefined} />
      </div>
    </>
  );
}

type RefusedAdd = Exclude<Awaited<ReturnType<typeof action>>, Response>["data"];
type Refused<Form extends string> = Extract<RefusedAdd, { form: Form }>;

function OneAddress({ answer }: { answer: Refused<"one"> | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.oneTitle}</CardTitle>
      </CardHeader>
      <CardContent>
        <Form method="post" className="flex flex-col gap-4">
          <TextField
            label={copy.address}
            error={answer?.errors.address}
            required
            type="email"
            name="address"
            autoComplete="off"
            defaultValue={answer?.values.address}
          />
          <TextField
            label={copy.note}
            hint={copy.noteHint}
            error={answer?.errors.note}
            required={false}
            name="note"
            maxLength={toMaxLength(200)}
            defaultValue={answer?.values.note}
          />
          <IntentButton intent="one" className="self-start" variant="default">
            {copy.addOne}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}

/** Adds a pasted or uploaded list. Invalid lines are returned for correction; the rest is added. */
function ManyAddresses({ answer }: { answer: Refused<"many"> | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.manyTitle}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {answer && answer.wrong > 0 ? <ListErrors answer={answer} /> : null}
        <Form method="post" encType="multipart/form-data" className="flex flex-col gap-4">
          <FormField label={copy.list} hint={copy.listHint} error={answer?.error}>
            {(control) => (
              <Textarea
                {...control}
                name="list"
                rows={8}
                spellCheck={false}
                className="font-mono text-xs pointer-coarse:text-base"
                defaultValue={answer?.list}
              />
            )}
          </FormField>
          <FormField label={copy.file} hint={copy.fileHint} error={answer?.fileError}>
            {(control) => (
              <Input
                {...control}
                type="file"
                name="file"
                accept=".csv,.txt,text/csv,text/plain"
                className="py-1.5 file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-primary"
              />
            )}
          </FormField>
          <IntentButton intent="many" className="self-start" variant="default">
            {copy.addMany}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}

function ListErrors({ answer: { added, wrong, first, kept } }: { answer: Refused<"many"> }) {
  return (
    <Banner kind="error" isRefusal>
      <p>
        {added.added > 0 ? copy.added(added.added) : null}{" "}
        {added.alreadyThere > 0 ? copy.alreadyThere(added.alreadyThere) : null} {copy.notAddresses(wrong)}{" "}
        {wrong > kept ? copy.firstKept(kept) : copy.allKept(wrong)}
      </p>
      <ul className="mt-2 flex flex-col gap-1">
        {first.map(({ line, isOfFile, text }, index) => (
          <li key={index} className="wrap-anywhere">
            <span className="text-muted-foreground">{isOfFile ? copy.fileLine(line) : copy.line(line)}:</span>{" "}
            <bdi className="font-mono text-xs">{text}</bdi>
          </li>
        ))}
        {wrong > first.length ? (
          <li className="text-muted-foreground">{copy.more(wrong - first.length)}</li>
        ) : null}
      </ul>
    </Banner>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
