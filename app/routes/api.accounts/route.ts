import { routeOf } from "~/api/route.server";
import { changeAccounts, listAccounts } from "./call.server";

const calls = routeOf(listAccounts, changeAccounts);

export const loader = calls.loader;
export const action = calls.action;
