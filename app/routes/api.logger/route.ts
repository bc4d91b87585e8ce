import { routeOf } from "~/api/route.server";
import { getLogs } from "./call.server";

const calls = routeOf(getLogs);

export const loader = calls.loader;
export const action = calls.action;
