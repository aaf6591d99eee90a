import type { ObjectId } from "mongodb";

export type BoardDoc = {
  _id: ObjectId;
  user_id: string;
  name: string;
  is_default: boolean;
  /** Which of a person's places for boards it has. */
  slot: number;
  created_at: Date;
  updated_at: Date;
  /** Set while its notes are moved away: it is not seen any more. */
  removed_at: Date | null;
};
