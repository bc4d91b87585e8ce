import { X } from "lucide-react";
import { ModalDialog } from "~/components/modal-dialog";
import { TextLink } from "~/components/text-link";
import { Button } from "~/components/ui/button";
import { shellMessages } from "~/content/shell";
import { paths } from "~/paths";
import type { LayoutData } from "./navigation";
import { ShortcutList } from "./shortcut-list";

const copy = shellMessages.shortcuts;

type ShortcutSheetProps = LayoutData & { onClose: () => void };

export default function ShortcutSheet({ entries, shortcuts, onClose }: ShortcutSheetProps) {
  return (
    <ModalDialog label={copy.title} onClose={onClose} className="max-w-2xl">
      <div className="flex max-h-[calc(100dvh-2rem)] flex-col gap-4 overflow-y-auto p-5 sm:p-6">
        <header className="flex items-center justify-between gap-4">
          <p className="text-lg font-semibold tracking-tight">{copy.title}</p>
          <Button
            type="button"
            variant="ghost"
            size="icon"
            aria-label={copy.close}
            onClick={(event) => event.currentTarget.closest("dialog")?.close()}
          >
            <X aria-hidden />
          </Button>
        </header>
        <ShortcutList entries={entries} />
        <p className="text-xs text-muted-foreground">
          {copy.state[shortcuts]}{" "}
          <TextLink to={paths.shortcuts} onClick={onClose}>
            {copy.off}
          </TextLink>
        </p>
      </div>
    </ModalDialog>
  );
}
