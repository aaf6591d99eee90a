export const INVITATION_DAYS = 7;
export const INVITATIONS_MAX = 100;

export const invitationPath = (token: string): string => `/invitations/${token}`;
