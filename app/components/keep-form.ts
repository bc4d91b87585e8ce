import { isRouteErrorResponse, redirect, type ClientActionFunctionArgs } from "@remix-run/react";
import { messages } from "~/content/messages";
import { connection, RefusedRequestError } from "./connection";

/** Members of a screen's own refusals, which replace or complete those of `Unanswered`. */
type Detail = Record<string, unknown>;

type Typed = Record<string, string>;

interface SentForm {
  /** The text fields as typed, without files; the last value of a field that is sent several times. */
  readonly values: Typed;
  readonly fields: FormData;
  readonly params: ClientActionFunctionArgs["params"];
}

/** The answer to a form that got none. Screens read it as one of their refusals. */
interface Unanswered {
  readonly kind: "refused";
  readonly form: string;
  readonly message: string;
  readonly values: Typed;
  readonly errors: Record<string, string>;
  /** Tells it from a refusal of the server: a ConfirmDialog then shows `message` itself. */
  readonly isUnanswered: boolean;
}

/**
 * Creates a route's `clientAction`: when no answer of this server comes, or an unexpected failure, the screen stays with
 * everything typed and shows the form's failure sentence. Redirects and refusals pass unchanged; a refusal of the guard
 * (too much, from another site) is shown in its own sentence, because trying again cannot help.
 *
 * The failure is a response with status 503, because only such a response keeps Remix from loading the page's data
 * again, which would fail too (docs/decisions/0070).
 * @param getDetail returns what else the screen reads of a refusal, such as its own failure sentence as `message`;
 *   left out, the shared sentence is shown.
 */
export function keepForm(getDetail: (sent: SentForm) => Detail = () => ({})) {
  return async ({ request, params, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    const copy = request.clone();
    try {
      return await serverAction();
    } catch (error) {
      if (isForRemix(error, request)) throw error;
      const fields = await copy.formData();
      const texts = [...fields].filter((field): field is [string, string] => typeof field[1] === "string");
      const values = Object.fromEntries(texts);
      const unanswered: Unanswered = {
        kind: "refused",
        form: "",
        message: messages.connection.unreached,
        values,
        errors: {},
        isUnanswered: true,
      };
      const detail = { ...unanswered, ...getDetail({ values, fields, params }) };
      if (error instanceof RefusedRequestError) detail.message = error.message;
      return Response.json(detail, { status: 503 });
    }
  };
}

/**
 * A `clientAction` for a route without a screen, whose forms are on many: the page that is shown stays, and says
 * so.
 */
export async function stayOnPage({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    if (isForRemix(error, request)) throw error;
    connection.tell(error instanceof RefusedRequestError ? error.message : messages.connection.unreached);
    const shown = new URL(window.location.href);
    // A notice is shown once.
    shown.searchParams.delete("notice");
    throw redirect(shown.pathname + shown.search + shown.hash);
  }
}

/** Returns whether Remix handles it: a redirect, an error page of this server, the end of an abandoned request. */
function isForRemix(error: unknown, { signal }: Request): boolean {
  return error instanceof Response || isRouteErrorResponse(error) || signal.aborted;
}

/** Returns the action's data if it is `keepForm`'s, and undefined if the server answered. */
export function toUnanswered(answer: unknown): Unanswered | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  return "isUnanswered" in answer && answer.isUnanswered ? (answer as Unanswered) : undefined;
}
