import type { ObjectId } from "mongodb";

export type BoardDoc = {
  _id: ObjectId;
  user_id: string;
  name: string;
  is_default: boolean;
  slot: number;
  created_at: Date;
  updated_at: Date;
  /** Set while its notes are moved away; the board is hidden. */
  removed_at: Date | null;
};
