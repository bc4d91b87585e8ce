import { routeOf } from "~/api/route.server";
import { getBroadcast } from "./call.server";

const calls = routeOf(getBroadcast);

export const loader = calls.loader;
export const action = calls.action;
