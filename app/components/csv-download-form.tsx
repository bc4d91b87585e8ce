import { Form } from "@remix-run/react";
import { Download } from "~/components/icons";
import { Button } from "~/components/ui/button";
import { downloadMessages as copy } from "~/content/lists";

interface CsvDownloadFormProps {
  action: string;
  /** False when the file contains the whole list. */
  isFiltered: boolean;
}

/** Two buttons for a CSV file: standard, and with the byte order mark Excel needs to show letters beyond ASCII. */
export function CsvDownloadForm({ action, isFiltered }: CsvDownloadFormProps) {
  return (
    // Posts as a document: the response is a file, and the page stays.
    <Form reloadDocument method="post" action={action} className="flex flex-wrap items-center gap-2">
      <Button type="submit" variant="secondary" size="dense">
        <Download aria-hidden />
        {isFiltered ? copy.filtered : copy.all}
      </Button>
      <Button type="submit" name="for" value="excel" variant="quiet" size="dense">
        {copy.excel}
      </Button>
    </Form>
  );
}
