/** Over https the cookie is bound to the host by its name (docs/decisions/0003). */
export const sessionCookieName = (secure: boolean): string => (secure ? "__Host-sid" : "sid");
