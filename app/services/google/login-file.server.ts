import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { loginFile } from "./google-credential.server";
import type { KeptLogin } from "./google-credential.server";

/** Keeps a login for its owner alone (mode 0600). The file is whole or as it was before. */
export async function keepLogin(folder: string, login: KeptLogin): Promise<string> {
  const file = loginFile(folder);
  const unfinished = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(login, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  return file;
}

export const forgetLogin = (folder: string): Promise<void> => rm(loginFile(folder), { force: true });
