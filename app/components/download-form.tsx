import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Download } from "lucide-react";
import { Button } from "~/components/ui/button";

interface DownloadFormProps {
  action: string;
  label: string;
  className?: string;
  /** Further buttons, or hidden fields. */
  children?: ReactNode;
}

/** A button that downloads a file. Posts as a document: the response is the file, and the page stays. */
export function DownloadForm({ action, label, className, children }: DownloadFormProps) {
  return (
    <Form reloadDocument method="post" action={action} className={className}>
      <Button type="submit" variant="outline">
        <Download aria-hidden />
        {label}
      </Button>
      {children}
    </Form>
  );
}
