import { routeOf } from "~/api/route.server";
import { deleteLogs } from "./call.server";

const calls = routeOf(deleteLogs);

export const loader = calls.loader;
export const action = calls.action;
