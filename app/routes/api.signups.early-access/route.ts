import { routeOf } from "~/api/route.server";
import { signUpForEarlyAccess } from "./call.server";

const calls = routeOf(signUpForEarlyAccess);

export const loader = calls.loader;
export const action = calls.action;
