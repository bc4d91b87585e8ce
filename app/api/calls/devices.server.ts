import { z } from "zod";
import { applicationDevices, areDevicesElsewhere, pushSettings } from "~/services/container.server";
import type { DeviceRefusal } from "~/services/push/application-devices.server";
import { defineCall } from "../call.server";
import { text } from "../fields";
import { withToken } from "../guards.server";
import { problem } from "../problem.server";
import { readTenants } from "./tenants.server";

const guard = withToken("devices:write");
/** Devices or users in one call: some ten milliseconds of the single writer. */
const MAX_BATCH = 100;

function batch<Item extends z.ZodType>(item: Item) {
  const rule = { error: `must be a list of 1 to ${MAX_BATCH}` };
  return z.array(item, rule).min(1, rule).max(MAX_BATCH, rule);
}

const aString = z.string({ error: "must be a string" });
const user = text("Your id of the device's user. An address is compared without regard to case.", {
  max: 254,
});

/** A browser wrote it: one that adds a field does not get a batch refused. */
const subscription = z.object(
  {
    endpoint: aString,
    expirationTime: z.number({ error: "must be a number or null" }).nullish(),
    keys: z.object({ p256dh: aString, auth: aString }, { error: "must have p256dh and auth" }),
  },
  { error: "must be a PushSubscription as JSON" },
);

const device = z
  .strictObject({
    user,
    tenant: text("The id of the user's company, from Tenant/get-tenant-info.", { max: 200 }).optional(),
    subscription: subscription
      .optional()
      .meta({ description: "With Web Push: the browser's PushSubscription, as its toJSON returns it." }),
    token: aString.optional().meta({ description: "With Firebase: the registration token." }),
  })
  .superRefine(({ subscription, token }, context) => {
    if ((subscription === undefined) !== (token === undefined)) return;
    context.addIssue({
      code: "custom",
      path: ["subscription"],
      message: "name the device by either `subscription` or `token`",
    });
  });

const REFUSALS: Readonly<Record<DeviceRefusal, string>> = {
  wrong_engine: "This server sends with the other engine; GET /api/devices/settings names it.",
  unusable_device: "This is no subscription of a known push service, or no Firebase token.",
  unknown_tenant: "There is no company with this id. Tenant/get-tenant-info lists them.",
  too_many_devices: "Too many devices: of this user in one call, or of the application altogether.",
};
const CODES = Object.keys(REFUSALS) as DeviceRefusal[];

const EXAMPLE = {
  user: "user-1815",
  tenant: "acme",
  subscription: {
    endpoint: "https://fcm.googleapis.com/fcm/send/cT3n1",
    expirationTime: null,
    keys: {
      p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
      auth: "tBHItJI5svbpez7KI4CCXg",
    },
  },
};

export const getDeviceSettings = defineCall({
  method: "GET",
  path: "/api/devices/settings",
  name: "getDeviceSettings",
  guard,
  summary: "Get what the application's pages subscribe with",
  ok: z.object({
    engine: z.enum(["webpush", "fcm"]),
    publicKey: z.string().meta({
      description: "The VAPID key for the browser's `applicationServerKey`, or Firebase's `vapidKey`.",
    }),
    projectId: z
      .string()
      .optional()
      .meta({ description: "With Firebase: the project whose tokens are accepted." }),
  }),
  examples: { ok: { engine: "webpush", publicKey: EXAMPLE.subscription.keys.p256dh } },
  refusals: ["devices_elsewhere"],
  work: async () => {
    if (areDevicesElsewhere) return problem("devices_elsewhere");
    const { engine, publicKey } = pushSettings;
    const project = pushSettings.engine === "fcm" ? { projectId: pushSettings.projectId } : {};
    return { ok: { engine, publicKey, ...project } };
  },
});

export const registerDevices = defineCall({
  method: "POST",
  path: "/api/devices",
  name: "registerDevices",
  guard,
  summary: "Register or refresh devices of the application's users",
  description:
    "A known device is refreshed, and becomes this user's and company's. A user has ten devices; a further one replaces the one that was refreshed longest ago. A refused device does not keep the others from being stored.",
  body: z.strictObject({ devices: batch(device) }),
  ok: z.object({
    status: z.literal("success"),
    results: z
      .array(
        z.object({
          result: z.enum(["registered", "refreshed", "refused"]),
          code: z.enum(CODES).optional().meta({ description: "Why it is refused, for programs." }),
          message: z.string().optional().meta({ description: "The same, for people." }),
        }),
      )
      .meta({ description: "One for each device, in their order." }),
  }),
  examples: {
    body: { devices: [EXAMPLE, { user: "user-1906", token: "a Firebase token" }] },
    ok: {
      status: "success",
      results: [
        { result: "registered" },
        { result: "refused", code: "wrong_engine", message: REFUSALS.wrong_engine },
      ],
    },
  },
  refusals: ["devices_elsewhere", "tenants_unavailable"],
  work: async ({ body }) => {
    if (areDevicesElsewhere) return problem("devices_elsewhere");
    const hasTenants = body.devices.some(({ tenant }) => tenant !== undefined);
    const tenants = new Set(hasTenants ? (await readTenants()).map(({ id }) => id) : []);
    const devices = body.devices.map(({ user, tenant, subscription, token = "" }) =>
      subscription
        ? { user, tenant, engine: "webpush" as const, token: JSON.stringify(subscription) }
        : { user, tenant, engine: "fcm" as const, token },
    );
    const outcomes = await applicationDevices.register(devices, tenants);
    const results = outcomes.map((result) =>
      result.ok
        ? { result: result.isNew ? ("registered" as const) : ("refreshed" as const) }
        : { result: "refused" as const, code: result.error, message: REFUSALS[result.error] },
    );
    return { ok: { status: "success", results } } as const;
  },
});

export const removeDevices = defineCall({
  method: "POST",
  path: "/api/devices/remove",
  name: "removeDevices",
  guard,
  summary: "Remove devices of the application, or all of a user's",
  description: "Removing what is not there is no error, so the call can be repeated.",
  body: z
    .strictObject({
      devices: batch(aString)
        .optional()
        .meta({ description: "The endpoints of Web Push subscriptions, or Firebase tokens." }),
      users: batch(user).optional().meta({ description: "Users all of whose devices are removed." }),
    })
    .superRefine(({ devices, users }, context) => {
      if (devices ?? users) return;
      context.addIssue({ code: "custom", path: ["devices"], message: "name `devices`, `users` or both" });
    }),
  ok: z.object({
    status: z.literal("success"),
    removed: z.int().meta({ description: "How many devices there were." }),
  }),
  examples: {
    body: { devices: [EXAMPLE.subscription.endpoint], users: ["user-1906"] },
    ok: { status: "success", removed: 3 },
  },
  work: async ({ body: { devices = [], users = [] } }) => {
    return { ok: { status: "success", removed: await applicationDevices.remove(devices, users) } };
  },
});
