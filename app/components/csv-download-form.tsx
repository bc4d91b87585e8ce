import { DownloadForm } from "~/components/download-form";
import { Button } from "~/components/ui/button";
import { downloadMessages as copy } from "~/content/lists";

interface CsvDownloadFormProps {
  action: string;
  /** False when the file contains the whole list. */
  isFiltered?: boolean;
  /** Left out: that of a list. */
  label?: string;
}

/** Two buttons for a CSV file: standard, and with the byte order mark Excel needs to show letters beyond ASCII. */
export function CsvDownloadForm({ action, isFiltered, label }: CsvDownloadFormProps) {
  return (
    <DownloadForm
      action={action}
      label={label ?? (isFiltered ? copy.filtered : copy.all)}
      className="flex flex-wrap items-center gap-2"
    >
      <Button type="submit" name="for" value="excel" variant="ghost">
        {copy.excel}
      </Button>
    </DownloadForm>
  );
}
