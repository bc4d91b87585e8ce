import { setTimeout as pause } from "node:timers/promises";
import { createServer } from "node:https";
import { createSelfSigned } from "../fakes/self-signed.ts";
import { listen } from "../fakes/listen.ts";
import { serveCalls } from "./helper-process.ts";

const NAME = "push.example.com";
const { key, cert } = createSelfSigned(NAME);
let count = 0;
// A push service that accepts everything and discards the bodies.
const server = createServer({ key, cert }, (request, response) => {
  request.resume().once("end", () => {
    count += 1;
    response.writeHead(201).end();
  });
});
server.keepAliveTimeout = 60_000;
const port = await listen(server);

/** Waits for a number of messages since the start. @returns the time of the last one, to within 1 ms, as `at`. */
export async function awaitMessages(messages: number) {
  while (count < messages) await pause(1);
  return { port, cert, count, at: Date.now() };
}

serveCalls(awaitMessages);
