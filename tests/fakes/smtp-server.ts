import { createServer, type Server, type Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
// With its extension, because a bench runs this file in Node as it is.
import { listen } from "./listen.ts";

/**
 * Response of the server to a recipient.
 * - `ok`: accepts the email.
 * - `{ code, text?, at? }`: responds to RCPT TO, or to the end of DATA with `at: "data"`, with this code.
 * - `silent`: does not respond to RCPT TO.
 * - `421`: responds to RCPT TO with 421 and closes.
 * - `drop-in-data`: closes the connection at DATA, so that the message was provably not sent.
 * - `{ dropAfterBytes }`: closes the connection once it has read this many bytes of the message. An email that
 *   fits into the network's buffers was sent completely by then, so only a large one tests a cut in its middle.
 * - `drop-after-data`: reads the message to its end and closes without a response. It counts as received.
 * - `{ slow }`: responds to the end of DATA after this many milliseconds.
 * - `{ after }`: responds to the end of DATA when this promise is fulfilled.
 */
export type Answer =
  | "ok"
  | "silent"
  | "421"
  | "drop-in-data"
  | "drop-after-data"
  | { readonly code: number; readonly text?: string; readonly at?: "rcpt" | "data" }
  | { readonly dropAfterBytes: number }
  | { readonly slow: number }
  | { readonly after: Promise<unknown> };

/** Called at each RCPT TO; `attempt` counts from 1 for each address. */
type AnswerRule = (address: string, attempt: number) => Answer;

export interface SmtpServerOptions {
  /** Port to listen on; a free one by default. */
  readonly port?: number;
  /** Accepts everything by default. */
  readonly answer?: AnswerRule;
  /** Credentials that MAIL FROM requires; wrong ones get 535. */
  readonly auth?: { readonly user: string; readonly pass: string };
  /** False records only addresses and Message-IDs, for runs of many emails. */
  readonly record?: boolean;
  /** Implicit TLS, with a certificate no authority signed. */
  readonly tls?: boolean;
  /** Allows the client to send a whole envelope at once (RFC 2920); true by default, as on most servers. */
  readonly pipelining?: boolean;
}

export interface ReceivedEmail {
  /** Sender of the envelope, not of the headers. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  parse(): Promise<Email>;
}

export type RunningSmtpServer = Awaited<ReturnType<typeof startSmtpServer>>;

/** Starts a real SMTP server on 127.0.0.1, by default without TLS. */
export async function startSmtpServer(options: SmtpServerOptions = {}) {
  const { auth, record = true, tls = false, pipelining = true } = options;
  const initialAnswer: AnswerRule = options.answer ?? (() => "ok");
  let answer = initialAnswer;
  const emails: ReceivedEmail[] = [];
  const deliveries: { address: string; messageId: string }[] = [];
  const rcptTo: string[] = [];
  const attempts = new Map<string, number>();
  const answers = new WeakMap<SMTPServerSession, Answer>();

  const server = new PromptSmtpServer({
    logger: false,
    secure: tls,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    hidePIPELINING: !pipelining,
    allowInsecureAuth: true,
    authOptional: !auth,
    disabledCommands: auth ? [] : ["AUTH"],
    onAuth: ({ username, password }, _session, done) => {
      const isCorrect = username === auth?.user && password === auth?.pass;
      if (isCorrect) done(null, { user: username });
      else done(smtpError(535, "Authentication credentials invalid"));
    },
    onRcptTo: ({ address }, session, done) => {
      rcptTo.push(address);
      const attempt = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, attempt);
      const wanted = answer(address, attempt);
      answers.set(session, wanted);
      if (wanted === "silent") return;
      if (wanted === "421") {
        done(smtpError(421, "Too many messages, closing"));
        sockets.find(session)?.end();
      } else if (typeof wanted === "object" && "code" in wanted && wanted.at !== "data") {
        done(smtpError(wanted.code, wanted.text ?? "Refused"));
      } else {
        done();
      }
    },
    onData: (stream, session, done) => {
      const wanted = answers.get(session) ?? "ok";
      const drop = () => void sockets.find(session)?.destroy();
      if (wanted === "drop-in-data") return drop();
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (typeof wanted === "object" && "dropAfterBytes" in wanted && bytes > wanted.dropAfterBytes) drop();
        // Without recording, the first chunk is enough: it holds the headers.
        else if (record || chunks.length === 0) chunks.push(chunk);
      });
      stream.on("end", () => {
        if (typeof wanted === "object" && "code" in wanted) {
          return done(smtpError(wanted.code, wanted.text ?? "Refused"));
        }
        storeEmail(session, Buffer.concat(chunks));
        if (wanted === "drop-after-data") return drop();
        if (typeof wanted === "object" && "slow" in wanted) return void setTimeout(done, wanted.slow);
        if (typeof wanted === "object" && "after" in wanted) return void wanted.after.then(() => done());
        done();
      });
    },
  });

  function storeEmail(session: SMTPServerSession, raw: Buffer): void {
    const { mailFrom, rcptTo: recipients } = session.envelope;
    const to = recipients.map(({ address }) => address);
    const messageId = /^message-id:\s*(<[^>]*>)/im.exec(raw.toString("latin1", 0, 4096))?.[1] ?? "";
    for (const address of to) deliveries.push({ address, messageId });
    if (!record) return;
    emails.push({ from: mailFrom ? mailFrom.address : "", to, raw, parse: () => PostalMime.parse(raw) });
  }

  // Clients may disconnect at any time.
  server.on("error", () => undefined);
  const sockets = trackSockets(server.server);
  const port = await listen(server.server, options.port);
  const login = auth ? `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.pass)}@` : "";
  const url = `${tls ? "smtps" : "smtp"}://${login}127.0.0.1:${port}`;
  return {
    /** Includes the credentials of `auth`. */
    url,
    /** Environment variables with which the product sends to it. */
    environment: { MAIL_DRIVER: "smtp", SMTP_URL: url },
    port,
    /** Complete emails in order; empty with `record: false`. */
    emails,
    /** A delivery for each recipient of a complete email, recorded or not. */
    deliveries,
    /** Every address of a RCPT TO, accepted or not. */
    rcptTo,
    /** Connections since the start. */
    connections: sockets.count,
    /** Number of deliveries. */
    count: () => deliveries.length,
    /** Replaces `answer` until the next reset. */
    setAnswer: (other: AnswerRule) => {
      answer = other;
    },
    /** Empties the lists, resets the attempts of each address and takes the first `answer` again. */
    reset: () => {
      for (const list of [emails, deliveries, rcptTo]) list.length = 0;
      attempts.clear();
      answer = initialAnswer;
    },
    /** Closes all connections and frees the port. */
    close: () => shutDown(server, sockets),
  };
}

/** Starts a server that accepts connections and by default never sends anything. */
export async function startBlackHole(
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const server = createServer(onConnection);
  const sockets = trackSockets(server);
  const port = await listen(server);
  return { url: `smtp://127.0.0.1:${port}`, port, close: () => shutDown(server, sockets) };
}

/** Greets at once. The library waits 100 ms for clients that talk too soon, which would slow every test. */
class PromptConnection extends SMTPConnection {
  override init(): void {
    this._setListeners(() => this.connectionReady());
  }
}

class PromptSmtpServer extends SMTPServer {
  override connect(...parameters: Parameters<SMTPServer["connect"]>): void {
    const connection = new PromptConnection(this, ...parameters);
    this.connections.add(connection);
    connection.on("error", (error: Error) => this._onError(error));
    connection.init();
  }
}

type Sockets = ReturnType<typeof trackSockets>;

function trackSockets(server: Server) {
  const open = new Map<number, Socket>();
  let count = 0;
  server.on("connection", (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    count += 1;
    open.set(port, socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (open.get(port) === socket) open.delete(port);
    });
  });
  return {
    /** Returns the connection of a session, found by its client's port. */
    find: (session: SMTPServerSession) => open.get(session.remotePort),
    count: () => count,
    destroy: () => open.forEach((socket) => socket.destroy()),
  };
}

/**
 * Closes the server and its connections. In a TLS handshake the server itself must end sockets: destroyed from
 * below they crash Node.
 */
async function shutDown(server: Server | SMTPServer, sockets: Sockets): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (server instanceof SMTPServer && server.options.secure)
    server.connections.forEach((each) => each.close());
  else sockets.destroy();
  await closed;
}

function smtpError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
