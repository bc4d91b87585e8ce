import type { Call } from "./call.server";
import { changeAccounts, listAccounts } from "./calls/accounts.server";
import { receiveBounces } from "./calls/bounces.server";
import { broadcastToAll, broadcastToApp, broadcastToTenant, getBroadcast } from "./calls/broadcasts.server";
import { getDeviceSettings, registerDevices, removeDevices } from "./calls/devices.server";
import { createDocumentCall } from "./calls/document.server";
import { sendEmail, sendReminder, sendTaskAssignment, sendUserRemoval } from "./calls/email.server";
import { reportJoined, verifyInvitation } from "./calls/invitations.server";
import { deleteLogs, generateError, generateErrorByPost, getLogs } from "./calls/logger.server";
import { getPerson, listPeople } from "./calls/people.server";
import { registerDevice, signInVisitorHere } from "./calls/push.server";
import { checkResourcesNow, getMeetingMetrics, getRedisStatus, getResources } from "./calls/resources.server";
import { listSignups, sendInquiry, signUpForEarlyAccess, signUpForUpdates } from "./calls/signups.server";
import { getTenantInfo } from "./calls/tenants.server";

/** In the order of docs/api.md. */
const described: readonly Call[] = [
  sendEmail,
  sendReminder,
  sendTaskAssignment,
  sendUserRemoval,
  getTenantInfo,
  broadcastToAll,
  broadcastToApp,
  broadcastToTenant,
  getBroadcast,
  getDeviceSettings,
  registerDevices,
  removeDevices,
  signUpForEarlyAccess,
  sendInquiry,
  signUpForUpdates,
  listSignups,
  listPeople,
  getPerson,
  verifyInvitation,
  reportJoined,
  getLogs,
  generateError,
  generateErrorByPost,
  deleteLogs,
  getResources,
  checkResourcesNow,
  getRedisStatus,
  getMeetingMetrics,
  listAccounts,
  changeAccounts,
  registerDevice,
  signInVisitorHere,
  receiveBounces,
];

/** Every call of the API, for the dispatcher (`dispatch.server.ts`) and for the document. */
export const calls: readonly Call[] = [...described, createDocumentCall(described)];
