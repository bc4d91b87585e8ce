import { TextLink } from "~/components/text-link";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "~/components/ui/dialog";
import { shellMessages } from "~/content/shell";
import { paths } from "~/paths";
import type { LayoutData } from "~/components/shell/navigation";
import { ShortcutList } from "~/components/shell/shortcut-list";

const copy = shellMessages.shortcuts;

type ShortcutSheetProps = Pick<LayoutData, "entries"> & { onClose: () => void };

/** What the key ? opens. It is a single key itself, so single keys are on whenever this is shown. */
export default function ShortcutSheet({ entries, onClose }: ShortcutSheetProps) {
  return (
    <Dialog onOpenChange={onClose}>
      <DialogContent className="sm:max-w-2xl" aria-describedby={undefined}>
        <DialogHeader>
          <DialogTitle>{copy.title}</DialogTitle>
        </DialogHeader>
        <ShortcutList entries={entries} />
        <p className="text-xs text-muted-foreground">
          {copy.state.on}{" "}
          <TextLink to={paths.shortcuts} onClick={onClose}>
            {copy.off}
          </TextLink>
        </p>
      </DialogContent>
    </Dialog>
  );
}
