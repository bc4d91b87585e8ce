import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import { AutoRefresh } from "~/components/auto-refresh";
import { Banner } from "~/components/banner";
import { ButtonLink } from "~/components/button-link";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DataTable, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { IntentButton } from "~/components/intent-button";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { EmailAddress } from "~/components/email-address";
import { PersonCell } from "~/components/person-cell";
import { StatFigures } from "~/components/stat-figures";
import { ExactTime } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card, CardContent } from "~/components/ui/card";
import { Progress } from "~/components/ui/progress";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { describeLine, importMessages } from "~/content/imports";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { discardImport, reportImportGone } from "~/http/import-actions.server";
import { linkTo } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { grouped } from "~/lib/format-number";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Actor } from "~/services/audit/audit.server";
import { access, imports } from "~/services/container.server";
import { isWorking, VERDICTS, type ImportState } from "~/services/imports/import-state";

const { page: copy, verdicts, kinds } = importMessages;
const ROWS = 50;

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view?.found.fileName ?? importMessages.list.title) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const found = await imports.find(params.id ?? "");
  if (!found) throw seeOther(paths.peopleImports);
  if (found.state === "uploaded") throw seeOther(paths.peopleImportColumns(found.id));
  const { searchParams } = new URL(request.url);
  const readLine = (name: string) => {
    const typed = searchParams.get(name) ?? "";
    return /^\d{1,7}$/.test(typed) ? Number(typed) : undefined;
  };
  // The verdict of lines; StatFigures names the parameter of its links "state".
  const verdict = VERDICTS.find((one) => one === searchParams.get("state"));
  const place = { before: readLine("before"), after: readLine("after") };
  return {
    found,
    verdict,
    lines: await imports.listLines(found.id, { verdict, ...place, limit: ROWS }),
    isWorking: isWorking(found.state),
    asksToUndo: searchParams.get("step") === "undo" && found.undoUntil !== undefined,
  };
}

type View = ReturnType<typeof useLoaderData<typeof loader>>;

type Act = (id: string, by: Actor, reviewed: string) => ReturnType<typeof imports.start>;
const ACTIONS: Readonly<Record<string, Act>> = {
  start: imports.start,
  cancel: imports.cancel,
  undo: imports.undo,
};

/**
 * The states of an import in which a button has done its work already: pressed again, because no answer came, it is not
 * refused.
 */
const DONE_STATES: Readonly<Record<string, readonly ImportState[]>> = {
  start: ["running", "finished"],
  cancel: ["cancelled"],
  undo: ["undoing", "undone"],
};

/** Handles the page's buttons, and reports what the state of the import does not allow any more. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const id = params.id ?? "";
  const { intent = "", settings = "" } = firstValues(await readForm(request));
  if (intent === "discard") return discardImport(imports, id);
  const act = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  const outcome = await act?.(id, getActor(request, operator), settings);
  const found = outcome?.ok === false ? await imports.find(id) : undefined;
  const isDone = found && DONE_STATES[intent]?.includes(found.state);
  // Started by somebody else with other settings: nothing that this press asked for.
  const isOther = intent === "start" && found?.settingsHash !== settings;
  const isRefused = outcome?.ok === false && (!isDone || isOther);
  return isRefused ? reportImportGone(imports, id) : report(undefined, paths.peopleImport(id));
}

export const clientAction = keepForm();

/** One import: its dry run, its progress, what became of it, and each of its lines. */
export default function Import() {
  const view = useLoaderData<typeof loader>();
  const { found, verdict } = view;
  const { counts, lineCount, checkedCount } = found;
  const unchecked = lineCount - checkedCount;
  const inert = useInert(view.asksToUndo);
  const page = paths.peopleImport(found.id);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={found.fileName}
          parent={{ to: paths.peopleImports, name: importMessages.list.title }}
          state={copy.summary(kinds[found.kind || "early-access"], found.createdBy)}
          actions={<Badge variant="secondary">{importMessages.states[found.state]}</Badge>}
        />
        <Notice className="mb-4" />
        <div className="flex flex-col gap-4">
          <State view={view} />
          <StatFigures
            page={page}
            selected={verdict}
            label={copy.figures}
            rest={{ name: copy.unchecked, count: unchecked }}
            figures={[
              {
                label: copy.all,
                count: lineCount,
                note: unchecked > 0 ? `${grouped(unchecked)} ${copy.unchecked}` : undefined,
              },
              { label: verdicts.new, count: counts.new, state: "new", colour: "success" },
              { label: verdicts.known, count: counts.known, state: "known", colour: "info" },
              {
                label: verdicts.suppressed,
                count: counts.suppressed,
                state: "suppressed",
                colour: "warning",
              },
              { label: verdicts.invalid, count: counts.invalid, state: "invalid", colour: "destructive" },
              { label: verdicts.duplicate, count: counts.duplicate, state: "duplicate", colour: "neutral" },
            ]}
          />
          <Lines view={view} />
        </div>
      </div>
      {view.asksToUndo ? (
        <ConfirmDialog
          title={copy.undoTitle}
          closeTo={page}
          intent="undo"
          yes={copy.undoYes}
          no={copy.undoNo}
          isDestructive
        >
          <p>{copy.undoText(found.storedCount, found.listedCount)}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** What the import is doing or has done, and what can be done with it now. */
function State({ view }: { view: View }) {
  const { found } = view;
  const { state, storedCount, listedCount, keptCount, undoUntil } = found;
  if (view.isWorking) return <Working view={view} />;
  if (state === "checked") return <Ready view={view} />;
  const waitsForMirror =
    found.isMirrored && storedCount > 0 && found.settledAt === null && state !== "undone";
  return (
    <Banner kind={state === "finished" ? "success" : "info"}>
      <p>
        {state === "undone" ? copy.undone : null}
        {state === "finished" ? copy.finished(storedCount, listedCount) : null}
        {state === "cancelled" ? copy.cancelled(storedCount, listedCount) : null}
        {keptCount > 0 ? ` ${copy.kept(keptCount)}` : null}
        {waitsForMirror ? ` ${copy.mirrorWaits}` : null}
      </p>
      {undoUntil === undefined ? null : (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          <span>
            {copy.undoUntil} <ExactTime at={undoUntil} to="minute" />.
          </span>
          <ButtonLink
            to={linkTo(paths.peopleImport(found.id), { step: "undo" })}
            preventScrollReset
            size="sm"
          >
            {copy.undo}
          </ButtonLink>
        </p>
      )}
    </Banner>
  );
}

function Working({ view: { found } }: { view: View }) {
  const { state, checkedCount, lineCount, counts, storedCount, keptCount } = found;
  const [text, done, all] = {
    checking: [copy.checking(checkedCount, lineCount), checkedCount, lineCount] as const,
    running: [copy.running(storedCount, counts.new), storedCount, counts.new] as const,
    undoing: [copy.undoing(storedCount, keptCount), undefined, 1] as const,
  }[state as "checking" | "running" | "undoing"];
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <AutoRefresh everySeconds={1} version={found} />
        <p role="status" className="flex items-center gap-2.5 font-medium tabular-nums">
          <LoaderCircle aria-hidden className="size-4 animate-spin text-primary motion-reduce:animate-none" />
          {text}
        </p>
        {done === undefined ? null : (
          <Progress aria-label={found.fileName} value={done} max={Math.max(1, all)} />
        )}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-muted-foreground">{copy.goesOn}</p>
          {state === "running" ? (
            <Form method="post">
              <IntentButton intent="cancel">{copy.cancel}</IntentButton>
            </Form>
          ) : null}
        </div>
      </CardContent>
    </Card>
  );
}

/** The result of the dry run, and the button that imports. */
function Ready({ view: { found } }: { view: View }) {
  const { counts } = found;
  const isUseful = counts.new + counts.suppressed > 0;
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <p role="status" className="font-medium">
          {isUseful ? copy.ready(counts.new, counts.suppressed) : copy.nobody}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <input type="hidden" name="settings" value={found.settingsHash} />
          {isUseful ? (
            <IntentButton intent="start" variant="default">
              {counts.new > 0 ? copy.start(counts.new) : copy.startListed}
            </IntentButton>
          ) : null}
          <ButtonLink to={paths.peopleImportColumns(found.id)}>{copy.changeColumns}</ButtonLink>
          <IntentButton intent="discard" variant="ghost">
            {copy.discard}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}

type Line = View["lines"]["lines"][number] & { id: string };

const VERDICT_BADGES = {
  new: "success",
  known: "info",
  suppressed: "warning",
  invalid: "destructive",
  duplicate: "secondary",
} as const;

const COLUMNS: readonly Column<Line>[] = [
  {
    name: copy.columns.line,
    width: "sm:w-20",
    card: "caption",
    className: "text-muted-foreground",
    cell: ({ line }) => (
      <span className="tabular-nums">
        <span aria-hidden className="sm:hidden">
          {copy.columns.line}{" "}
        </span>
        {line}
      </span>
    ),
  },
  {
    name: copy.columns.person,
    cell: ({ name, email, submissionId }) =>
      submissionId === null ? (
        <div className="md:flex md:gap-2.5">
          {name === "" ? null : (
            <bdi className="line-clamp-2 md:line-clamp-1 md:max-w-[60%] md:shrink-0 md:break-all">{name}</bdi>
          )}
          <EmailAddress address={email} />
        </div>
      ) : (
        <PersonCell name={name} email={email} to={paths.person(submissionId)} isBeside={false} />
      ),
  },
  {
    name: copy.columns.verdict,
    width: "sm:w-28",
    cell: ({ verdict }) =>
      verdict === undefined ? null : <Badge variant={VERDICT_BADGES[verdict]}>{verdicts[verdict]}</Badge>,
  },
  {
    name: copy.columns.reason,
    card: (line) => (describeLine(line) === "" ? "absent" : "line"),
    cell: (line) => describeLine(line),
  },
];

function Lines({ view: { found, verdict, lines, isWorking: isBusy } }: { view: View }) {
  const page = paths.peopleImport(found.id);
  const rows = lines.lines.map((line) => ({ ...line, id: `${line.line}` }));
  const toPlace = (place: Record<string, string | undefined>) => linkTo(page, { state: verdict, ...place });
  return (
    <DataTable
      caption={copy.lines}
      columns={COLUMNS}
      rows={rows}
      paging={{
        first: lines.isFirst ? undefined : toPlace({}),
        previous: lines.isFirst ? undefined : toPlace({ before: rows[0]?.id }),
        next: lines.isLast ? undefined : toPlace({ after: rows.at(-1)?.id }),
      }}
      note={
        isBusy ? undefined : <CsvDownloadForm action={paths.peopleImportRest(found.id)} label={copy.rest} />
      }
      empty={
        <EmptyList
          title={copy.noLines}
          description={verdict === undefined ? copy.linesGone : copy.noLinesOfVerdict}
        />
      }
    />
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
