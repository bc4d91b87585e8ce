import { useActionData, useSearchParams } from "@remix-run/react";
import { ButtonLink } from "~/components/button-link";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DownloadForm } from "~/components/download-form";
import { useIsWide } from "~/components/list-detail";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { useInert } from "~/components/use-inert";
import { useLast } from "~/components/use-last";
import { personMessages as copy } from "~/content/person";
import { waveMessages } from "~/content/waves";
import { linkTo } from "~/http/list-state";
import type { PersonAnswer, PersonView } from "~/http/person-page.server";
import { paths } from "~/paths";
import { CorrectPerson } from "./correct-person";
import { NoteForm } from "./note-form";
import { PersonFacts } from "./person-facts";
import { Timeline, UndoCorrection } from "./timeline";

type PersonPageProps = {
  view: PersonView;
  /** The list that the page leads back to, and stands beside on wide screens. */
  parent: { to: string; name: string };
};

/** The page of a person: everything that happened as a timeline beside a card of facts; notes, corrections, export, erasure. */
export function PersonPage({ view, parent }: PersonPageProps) {
  const { id, address, name, page } = view;
  const isWide = useIsWide();
  const answer = useActionData() as PersonAnswer | undefined;
  const isNoteAdded = useNotice() === "note-added";
  // "Skip to content" keeps the notice and makes another entry of the history: the newest note tells one notice from the next.
  const newest = view.timeline.find(({ type }) => type === "note");
  const added = useLast(isNoteAdded ? newest?.key : undefined);
  const hasInvitationQuestion = view.isRevoking || view.isResending;
  const hasQuestion = view.isErasing || hasInvitationQuestion || Boolean(view.removedNote ?? view.edited);
  const inert = useInert(hasQuestion);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={name || address}
          parent={{ ...parent, preventScrollReset: isWide }}
          state={
            <span className="wrap-anywhere">
              {copy.everythingAbout} <bdi className="font-mono text-foreground">{address}</bdi>
            </span>
          }
          actions={
            <>
              <ButtonLink to={linkTo(page, { step: "edit" })} preventScrollReset>
                {copy.edit.open}
              </ButtonLink>
              <DownloadForm action={paths.personExport(id)} label={copy.export} />
              <ButtonLink to={linkTo(page, { step: "erase" })} preventScrollReset variant="destructive">
                {copy.erase}
              </ButtonLink>
            </>
          }
        />
        <ActionResult view={view} />
        <div className="@container">
          <div className="grid items-start gap-4 @min-[60rem]:grid-cols-[minmax(0,1fr)_20rem]">
            <PersonFacts view={view} className="@min-[60rem]:order-last" />
            <Timeline view={view}>
              <NoteForm key={`${id} ${added}`} page={page} answer={answer} />
            </Timeline>
          </div>
        </div>
      </div>
      {view.isErasing ? <EraseQuestion view={view} /> : null}
      {view.removedNote ? <RemoveNoteQuestion note={view.removedNote} page={page} /> : null}
      {hasInvitationQuestion ? <InvitationQuestion view={view} /> : null}
      {view.edited ? <CorrectPerson view={view} edited={view.edited} answer={answer} /> : null}
    </>
  );
}

/** Shows the result of the last form; of a correction with its undo button. */
function ActionResult({ view: { timeline, page } }: { view: PersonView }) {
  const [search] = useSearchParams();
  const notice = useNotice();
  const id = search.get("correction");
  const undoable = timeline.find(
    (entry) => entry.type === "correction" && entry.key === id && entry.correction.isUndoable,
  );
  const canUndo = (notice === "person-corrected" || notice === "people-merged") && undoable !== undefined;
  return (
    <Notice className="mb-4">
      {canUndo ? (
        <div className="mt-2">
          <UndoCorrection id={undoable.key} page={page} takesFocus />
        </div>
      ) : undefined}
    </Notice>
  );
}

function EraseQuestion({ view }: { view: PersonView }) {
  const { page, address, formCount, hasMoreForms, deliveryCount, suppression, copies } = view;
  return (
    <ConfirmDialog
      title={copy.question}
      closeTo={page}
      intent="erase"
      yes={copy.erase}
      no={copy.keep}
      isDestructive
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="font-mono text-xs">{address}</bdi>
      </p>
      <p>{copy.lost(formCount, hasMoreForms)}</p>
      <p>
        {copy.lostEmails(deliveryCount)} {copy.lostElse}{" "}
        {suppression?.opted_out === 0 ? copy.suppressionGoes : null}
      </p>
      <p className="font-medium">{copy.staysTitle}</p>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-muted-foreground">
        {suppression?.opted_out === 1 ? <li>{copy.staysOptOut}</li> : null}
        <li>{copy.staysActivity}</li>
        {copies ? <li>{copy.copies[copies]}</li> : null}
        <li>{copy.staysElsewhere}</li>
      </ul>
    </ConfirmDialog>
  );
}

/** Asks before an invitation is revoked or sent again. */
function InvitationQuestion({ view: { page, address, invitation, isRevoking } }: { view: PersonView }) {
  if (!invitation || invitation.state === "waiting") return null;
  const words = isRevoking ? waveMessages.revoking : waveMessages.resending;
  return (
    <ConfirmDialog
      title={words.question}
      closeTo={page}
      intent={isRevoking ? "revoke-invitation" : "resend-invitation"}
      yes={words.yes}
      no={words.no}
      isDestructive={isRevoking}
      fields={<input type="hidden" name="issue" value={invitation.issue} />}
    >
      <p className="wrap-anywhere">
        {isRevoking ? waveMessages.revoking.text : waveMessages.resending.text(address)}
      </p>
    </ConfirmDialog>
  );
}

type RemoveNoteQuestionProps = { note: NonNullable<PersonView["removedNote"]>; page: string };

function RemoveNoteQuestion({ note, page }: RemoveNoteQuestionProps) {
  return (
    <ConfirmDialog
      title={copy.note.question}
      closeTo={page}
      intent="remove-note"
      yes={copy.note.remove}
      no={copy.note.keep}
      isDestructive
      fields={<input type="hidden" name="note" value={note.id} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="line-clamp-4 whitespace-pre-wrap">{note.text}</bdi>
      </p>
      <p>{copy.note.removed}</p>
    </ConfirmDialog>
  );
}
