import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { PersonView } from "./person.server";

const copy = operatorMessages.person;

/** Says what will be erased and what is kept nevertheless, and asks. */
export function Question({ view }: { view: PersonView }) {
  const { id, address, forms, hasMoreForms, mailCount, suppression, copies } = view;
  return (
    <ConfirmDialog
      title={copy.question}
      closeTo={paths.person(id)}
      action={paths.person(id)}
      intent="erase"
      yes={copy.erase}
      no={copy.keep}
      isDestructive
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="font-mono text-xs">{address}</bdi>
      </p>
      <p>{copy.lost(forms.length, hasMoreForms)}</p>
      <p>
        {copy.lostMails(mailCount)} {copy.lostElse}{" "}
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
