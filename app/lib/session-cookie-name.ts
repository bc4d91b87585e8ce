/** Over https a cookie is bound to the host by its name (docs/decisions/0003). */
export const sessionCookieName = (secure: boolean): string => (secure ? "__Host-sid" : "sid");
/** Of a login between its password and its code (docs/decisions/0021). */
export const pendingLoginCookieName = (secure: boolean): string => (secure ? "__Host-login" : "login");
