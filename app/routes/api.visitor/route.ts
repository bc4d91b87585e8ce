import { routeOf } from "~/api/route.server";
import { signInVisitorHere } from "./call.server";

const calls = routeOf(signInVisitorHere);

export const loader = calls.loader;
export const action = calls.action;
