import { maskBeginning } from "./mask-secrets";

/** Read of a message, which may begin with much white space. */
const MAX_READ = 2000;

/** Formats another server's message as one safe line. @param secrets our own, which it may repeat. */
export const toOneLine = (text: string, secrets: readonly string[] = []): string =>
  maskBeginning(text, MAX_READ, secrets).replace(/\s+/g, " ").trim().slice(0, 200);
