import { Form } from "@remix-run/react";
import { Download } from "~/components/icons";
import { Button } from "~/components/ui/button";

interface CsvDownloadFormProps {
  /** A call that answers with the file. */
  action: string;
  /** What the file holds: "Download all as CSV". */
  name: string;
}

/** Two buttons for a CSV file: as every program reads it, and as Excel needs it to show letters beyond ASCII. */
export function CsvDownloadForm({ action, name }: CsvDownloadFormProps) {
  return (
    // A document's own post: the answer is a file, and the page stays.
    <Form reloadDocument method="post" action={action} className="flex flex-wrap items-center gap-2">
      <Button type="submit" variant="secondary" size="dense">
        <Download aria-hidden />
        {name}
      </Button>
      <Button type="submit" name="for" value="excel" variant="quiet" size="dense">
        CSV for Excel
      </Button>
    </Form>
  );
}
