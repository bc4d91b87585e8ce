import { routeOf } from "~/api/route.server";
import { registerDevice } from "./call.server";

const calls = routeOf(registerDevice);

export const loader = calls.loader;
export const action = calls.action;
