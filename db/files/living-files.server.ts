/** Filters a person's files outside the trash. */
export const living = (ownerId: string) => ({ user_id: ownerId, deleted_at: null });
