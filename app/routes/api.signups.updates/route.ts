import { routeOf } from "~/api/route.server";
import { signUpForUpdates } from "./call.server";

const calls = routeOf(signUpForUpdates);

export const loader = calls.loader;
export const action = calls.action;
