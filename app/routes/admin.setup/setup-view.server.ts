import { setup } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

export type SetupView = Awaited<ReturnType<typeof getSetupView>>;

/** Shapes what the screen shows. @param operator the superadmin who looks at it. */
export async function getSetupView(searchParams: URLSearchParams, { email }: SignedIn) {
  const view = await setup.getView({ email });
  return {
    ...view,
    email,
    /** The step that is shown open. */
    openStep: searchParams.get("step") ?? view.progress.next,
    now: Date.now(),
  };
}
