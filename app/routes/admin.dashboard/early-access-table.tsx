import { Link } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import { Timestamp } from "~/components/timestamp";
import { paths } from "~/paths";

/** Specification, section 2. */
const HEADERS = ["Name", "Email", "Company", "Role", "Timestamp"];
const WIDTHS = ["w-[20%]", "", "w-[19%]", "w-26", "w-50 xl:w-80"];

interface Signup {
  id: string;
  name: string;
  email: string;
  company: string;
  role: string;
  created_at: number;
}

type EarlyAccessTableProps = {
  rows: readonly Signup[];
  total: number;
  now: number;
  paging: { older: string | undefined; newest: "" | undefined };
};

export function EarlyAccessTable({ rows, total, now, paging }: EarlyAccessTableProps) {
  return (
    <DataTable
      id="early-access"
      title="Early Access"
      headers={HEADERS}
      widths={WIDTHS}
      rows={rows.map(({ id, name, email, company, role, created_at }) => ({
        id,
        cells: [
          name,
          email,
          company,
          capitalized(role),
          <Timestamp key="at" at={created_at} now={now} exact />,
        ],
      }))}
      total={total}
      paging={paging}
      empty={
        total === 0 ? <NoSignups /> : <p className="text-muted-foreground">There are no older entries.</p>
      }
    />
  );
}

function NoSignups() {
  return (
    <div className="mx-auto flex max-w-[52ch] flex-col gap-2">
      <p className="font-medium">Nobody has signed up yet</p>
      <p className="text-muted-foreground">
        Whoever asks for early access will stand here, newest first, with name, address, company and role.{" "}
        <Link to={paths.earlyAccess} className="text-primary underline underline-offset-4">
          Open the early access form
        </Link>{" "}
        and send it once to see how.
      </p>
    </div>
  );
}

function capitalized(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}
