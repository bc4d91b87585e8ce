import { routeOf } from "~/api/route.server";
import { sendInquiry } from "./call.server";

const calls = routeOf(sendInquiry);

export const loader = calls.loader;
export const action = calls.action;
