import { routeOf } from "~/api/route.server";
import { sendUserRemoval } from "./call.server";

const calls = routeOf(sendUserRemoval);

export const loader = calls.loader;
export const action = calls.action;
