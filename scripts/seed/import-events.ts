import { days, hours, minutes } from "~/lib/durations";
import { guessMapping } from "~/lib/import-columns";
import { createImports } from "~/services/imports/imports.server";
import { workOnLines } from "~/services/imports/import-work.server";
import { FIRST_ADMIN, type PastEvent, type PastTools } from "./past";

/** A list that somebody kept before; one of its people opted out, and one line is wrong. */
const FILE = `Email,Name,Signed up at,Status
ada.lovelace@example.com,Ada Lovelace,2026-02-11,subscribed
grace.hopper@example.com,Grace Hopper,2026-02-12,subscribed
alan.turing@example.com,Alan Turing,2026-02-12,unsubscribed
grace.hopper@example.com,Grace Hopper,2026-03-01,subscribed
mary.jackson@example,Mary Jackson,2026-03-02,subscribed
`;
/** Days before the end of the seeded period: lines stay for a week. */
const DAYS_AGO = 2;

/** Creates an import that is over, with a line of most verdicts. */
export function createImportEvents(tools: PastTools): PastEvent[] {
  const { now, operator } = tools;
  const imports = createImports({ ...tools, wake: () => undefined });
  const at = now - days(DAYS_AGO) + hours(1);
  let id = "";
  const work = async () => {
    while (await workOnLines(tools, id, 100));
  };
  return [
    {
      at,
      do: async () => {
        const upload = await imports.upload(new File([FILE], "spring-list.csv"), { by: FIRST_ADMIN });
        if (!upload.ok) throw new Error(upload.problem);
        ({ id } = upload);
        const [headers = ""] = FILE.split("\n");
        await imports.check(id, {
          kind: "updates-signup",
          mapping: guessMapping(headers.split(",")),
          consent: "Wrote to us after the talk in spring, and asked for news.",
          dateOrder: "",
          isMirrored: false,
        });
        await work();
        const checked = await imports.find(id);
        if (!checked) throw new Error("The example import was discarded.");
        await imports.start(id, operator(), checked.settingsHash);
        await work();
      },
    },
    { at: at + minutes(11), do: work },
  ];
}
