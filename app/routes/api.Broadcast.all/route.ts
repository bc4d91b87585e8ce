import { routeOf } from "~/api/route.server";
import { broadcastToAll } from "./call.server";

const calls = routeOf(broadcastToAll);

export const loader = calls.loader;
export const action = calls.action;
