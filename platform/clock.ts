/** The current time as a parameter, for code whose tests depend on the time. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
