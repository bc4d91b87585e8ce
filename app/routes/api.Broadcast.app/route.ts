import { routeOf } from "~/api/route.server";
import { broadcastToApp } from "./call.server";

const calls = routeOf(broadcastToApp);

export const loader = calls.loader;
export const action = calls.action;
