/**
 * Loaded before a test or its server: hashes passwords at argon2's lowest cost (0.1 ms instead of 10), labelled
 * with the real one. TEST_HASHING=real keeps the real cost. The product itself has no setting for it.
 */
import { createRequire } from "node:module";

const argon2 = createRequire(import.meta.url)("@node-rs/argon2");
const { hash, verify } = argon2;
const LEAST = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const LEAST_LABEL = "$m=8,t=1,p=1$";
const isReal = () => process.env.TEST_HASHING === "real";

/** @type {typeof hash} */
argon2.hash = async (password, options, signal) => {
  if (isReal()) return hash(password, options, signal);
  const { memoryCost, timeCost, parallelism } = options;
  const quick = await hash(password, { ...options, ...LEAST }, signal);
  return quick.replace(LEAST_LABEL, `$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
};

/** @type {typeof verify} */
argon2.verify = async (stored, password, options, signal) =>
  verify(
    isReal() ? stored : String(stored).replace(/\$m=\d+,t=\d+,p=\d+\$/, LEAST_LABEL),
    password,
    options,
    signal,
  );
