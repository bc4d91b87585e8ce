import { routeOf } from "~/api/route.server";
import { sendReminder } from "./call.server";

const calls = routeOf(sendReminder);

export const loader = calls.loader;
export const action = calls.action;
