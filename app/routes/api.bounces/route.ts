import { routeOf } from "~/api/route.server";
import { receiveBounces } from "./call.server";

const calls = routeOf(receiveBounces);

export const loader = calls.loader;
export const action = calls.action;
