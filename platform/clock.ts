/** The present moment, passed in wherever a test would care which moment it is. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
