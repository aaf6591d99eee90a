/** Both a waiting request and an answer expire after this time. */
export const JOIN_REQUEST_DAYS = 14;
export const JOIN_REQUESTS_MAX = 100;

export type JoinAnswer = "approved" | "declined";
