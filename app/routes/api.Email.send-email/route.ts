import { routeOf } from "~/api/route.server";
import { sendEmail } from "./call.server";

const calls = routeOf(sendEmail);

export const loader = calls.loader;
export const action = calls.action;
