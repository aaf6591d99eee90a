/** The filter of the files of a person that are not in the trash. */
export const living = (ownerId: string) => ({ user_id: ownerId, deleted_at: null });
