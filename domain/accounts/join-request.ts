/** How long a request to join waits for an answer, and how long an answer holds. */
export const JOIN_REQUEST_DAYS = 14;
/** How many may wait at a time. */
export const JOIN_REQUESTS_MAX = 100;

export type JoinAnswer = "approved" | "declined";
