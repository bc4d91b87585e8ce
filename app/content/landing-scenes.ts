/**
 * The words in the landing page's illustrations: one meeting, told in five pictures. Each picture is read to people who
 * do not see it by its `label`.
 */
export const landingScenes = {
  suite: {
    label: (name: string) =>
      `A planning meeting in ${name}: the transcript, the summary written from it, three tasks with an owner and a date, and the team’s thread.`,
    caption:
      "The numbers tie each task to the sentence it came from, so nobody has to ask who promised what.",
    meeting: "Weekly planning",
    when: "Tue 14 Oct, 32 min",
    transcriptTitle: "Transcript",
    /** `said` became the task with the same number (`task`); phones leave `narrow` lines out. */
    transcript: [
      {
        who: "Ines",
        at: "00:41",
        before: "The clinic in Graz starts on the third. Who looks at their data before that?",
      },
      {
        who: "Jonas",
        at: "01:07",
        before: "Me. ",
        said: "I’ll have the import checked by Thursday.",
        task: 1,
      },
      {
        who: "Priya",
        at: "14:32",
        before: "Two clinics asked about calendar sync. I would ship it without recurring events first.",
        narrow: true,
      },
      {
        who: "Ines",
        at: "14:52",
        before: "Agreed. Priya, ",
        said: "could you write to both of them?",
        task: 2,
      },
      {
        who: "Tom",
        at: "25:05",
        said: "And I’ll book the room for the training",
        task: 3,
        after: ", on the second.",
      },
    ],
    summaryTitle: "Summary",
    summary: "Graz opens on 3 November. Calendar sync ships first without recurring events.",
    tasksTitle: "Tasks",
    tasksAside: "3 from this meeting",
    done: "Done",
    tasks: [
      { number: 1, title: "Check the Graz data import", who: "Jonas", due: "Thu 16 Oct", done: true },
      { number: 2, title: "Write to both clinics about calendar sync", who: "Priya", due: "Fri 17 Oct" },
      { number: 3, title: "Book the training room for 2 November", who: "Tom", due: "Mon 20 Oct" },
    ],
    openTitle: "Still open",
    open: "Does Linz open in the same week? Ines asks them on Monday.",
    threadTitle: "Thread",
    thread: "Graz",
    checked: {
      who: "Jonas",
      at: "Thu 09:12",
      text: "Import checked: 1,284 records, two without a date. I left a note on both.",
      task: "Check the Graz data import",
    },
    /** Phones leave `narrow` messages out. */
    messages: [
      {
        who: "Priya",
        at: "Thu 09:20",
        text: "Thank you. I’ll mention it when I write to them this afternoon.",
        narrow: false,
      },
      { who: "Ines", at: "Thu 09:26", text: "Then the third stands.", narrow: true },
      {
        who: "Tom",
        at: "Thu 09:31",
        text: "I’ve asked for the larger room, from eight. They answer on Monday.",
        narrow: true,
      },
    ],
    write: "Write to Graz",
  },
  insights: {
    label:
      "A recording of 32 minutes divided into its topics, two of them with a decision. The second decision is open: ship calendar sync first without recurring events.",
    topics: [
      { topic: "Graz", from: "00:00", decided: true },
      { topic: "Calendar", from: "11:20", decided: true },
      { topic: "Training", from: "21:40", decided: false },
    ],
    decidedAt: "Decided at",
    at: "14:52",
    decision: "Calendar sync ships first without recurring events.",
    by: "Proposed by Priya, agreed by Ines",
  },
  tasks: {
    label:
      "One task, check the Graz data import, owned by Jonas: assigned on Tuesday, tracked on Wednesday, completed on Thursday.",
    task: "Check the Graz data import",
    steps: [
      {
        step: "Assigned",
        at: "Tue 14:07",
        detail: "“I’ll have the import checked by Thursday.”",
        done: false,
      },
      { step: "Tracked", at: "Wed 16:00", detail: "900 of 1,284 records looked at", done: false },
      { step: "Completed", at: "Thu 09:10", detail: "Ines and Priya were told in the thread", done: true },
    ],
  },
  chat: {
    label: "A thread about Graz: Priya quotes a minute of the meeting, Tom turns his answer into a task.",
    thread: "Graz",
    question: "How many people come to the training?",
    askedAt: "10:02",
    meeting: "Weekly planning",
    minute: "25:05",
    answer: "Fourteen. I’ll ask for the larger room.",
    answeredAt: "10:04",
    task: "Book the room",
    due: "Mon 20 Oct",
  },
  tenants: {
    label:
      "Three companies, each in a walled room of its own with its own people and rules. Each room has one locked door, to a shared corridor.",
    companies: [
      {
        company: "Mur Clinics",
        domain: "mur-clinics.example",
        people: 46,
        kept: "Recordings kept 2 years",
      },
      { company: "Halm & Daughters", domain: "halm.example", people: 12, kept: "Kept 90 days" },
      { company: "Studio Brandt", domain: "brandt.example", people: 7, kept: "Kept 1 year" },
    ],
    /** @param count of people in a company */
    people: (count: number) => `${count} people`,
    corridor: "One framework, one sign-in. What is behind a door stays behind it.",
  },
} as const;
