/** Returns the session cookie's name; over https its prefix binds it to the host (docs/decisions/0003). */
export const sessionCookieName = (secure: boolean): string => (secure ? "__Host-sid" : "sid");
/** Returns the name of the cookie of a login between its password and its code (docs/decisions/0021). */
export const pendingLoginCookieName = (secure: boolean): string => (secure ? "__Host-login" : "login");
