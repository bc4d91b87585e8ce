import type { Call } from "~/api/call.server";
import { changeAccounts, listAccounts } from "../api.accounts/call.server";
import { receiveBounces } from "../api.bounces/call.server";
import { getBroadcast } from "../api.Broadcast.$id/call.server";
import { broadcastToAll } from "../api.Broadcast.all/call.server";
import { broadcastToApp } from "../api.Broadcast.app/call.server";
import { broadcastToTenant } from "../api.Broadcast.tenant.$tenantId/call.server";
import { registerDevice } from "../api.DeviceToken/call.server";
import { sendEmail } from "../api.Email.send-email/call.server";
import { sendReminder } from "../api.Email.send-reminder/call.server";
import { sendTaskAssignment } from "../api.Email.send-task-assignment/call.server";
import { sendUserRemoval } from "../api.Email.send-user-removal/call.server";
import { deleteLogs } from "../api.logger_.delete-logs/call.server";
import { generateError, generateErrorByPost } from "../api.logger_.generate-error/call.server";
import { getLogs } from "../api.logger/call.server";
import { checkResourcesNow } from "../api.resourcemonitor.check/call.server";
import { getMeetingMetrics } from "../api.resourcemonitor.meeting-metrics/call.server";
import { getRedisStatus } from "../api.resourcemonitor.redis-status/call.server";
import { getResources } from "../api.resourcemonitor.resources/call.server";
import { sendInquiry } from "../api.signups.contact/call.server";
import { signUpForEarlyAccess } from "../api.signups.early-access/call.server";
import { signUpForUpdates } from "../api.signups.updates/call.server";
import { getTenantInfo } from "../api.Tenant.get-tenant-info/call.server";
import { signInVisitorHere } from "../api.visitor/call.server";

/** Every call of the API, in the order of docs/api.md. One that is missing is found by tests/server/api-document.test.ts. */
export const calls: readonly Call[] = [
  ...[sendEmail, sendReminder, sendTaskAssignment, sendUserRemoval],
  ...[getTenantInfo, broadcastToAll, broadcastToApp, broadcastToTenant, getBroadcast],
  ...[signUpForEarlyAccess, sendInquiry, signUpForUpdates],
  ...[getLogs, generateError, generateErrorByPost, deleteLogs],
  ...[getResources, checkResourcesNow, getRedisStatus, getMeetingMetrics],
  ...[listAccounts, changeAccounts],
  ...[registerDevice, signInVisitorHere, receiveBounces],
];
