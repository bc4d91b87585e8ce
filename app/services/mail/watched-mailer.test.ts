import { expect, it } from "vitest";
import { createEmail } from "../../../tests/factories/email";
import {
  accepted,
  refused,
  ScriptedMailer,
  unauthorized,
  unknown,
  unreachable,
} from "../../../tests/fakes/scripted-mailer";
import type { SendOutcome } from "./mailer";
import { watchMailer } from "./watched-mailer";

it("an outage of the mail server is logged once at its start and once at its end", async () => {
  const outcomes = [
    accepted,
    unreachable,
    unknown,
    unreachable,
    unauthorized,
    unauthorized,
    refused,
    accepted,
  ];
  const lines: string[] = [];
  const { mailer, getProblem } = watchMailer(new ScriptedMailer(() => outcomes.shift() ?? accepted), {
    warn: (_, message) => void lines.push(message),
  });
  const problems = [];
  while (outcomes.length > 0) {
    await mailer.send(createEmail());
    problems.push(getProblem());
  }
  const away = "unreachable";
  const login = "unauthorized";
  expect(problems).toEqual([undefined, away, away, away, login, login, undefined, undefined]);
  expect(lines).toEqual([
    "the mail server cannot be reached",
    "the mail server rejects our login or sender",
    "the mail server answers again",
  ]);
});

it("an email that began before a failure does not end the outage", async () => {
  const answers: ((outcome: SendOutcome) => void)[] = [];
  const send = () => new Promise<SendOutcome>((resolve) => answers.push(resolve));
  const { mailer, getProblem } = watchMailer(
    { name: "slow", send, knows: async () => undefined, close: async () => undefined },
    { warn: () => undefined },
  );
  const early = mailer.send(createEmail());
  const failing = mailer.send(createEmail());
  answers[1]?.(unreachable);
  await failing;
  answers[0]?.(accepted);
  await early;
  expect(getProblem()).toBe("unreachable");
  const later = mailer.send(createEmail());
  answers[2]?.(accepted);
  await later;
  expect(getProblem()).toBeUndefined();
});
