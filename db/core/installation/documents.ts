export type DataVersionDoc = {
  _id: "data";
  /** Increases with every change that older code could not read. */
  version: number;
  updated_at: Date;
};

/** In data that is being moved elsewhere: the end of the write pause, and the new address. */
export type WritingDoc = {
  _id: "writing";
  move_id: string;
  paused_until: Date | null;
  moved_at: Date | null;
  /** Without a password. */
  moved_to: string | null;
};

/** In the target of a move, until the data is complete. */
export type ArrivingDoc = { _id: "arriving"; move_id: string; started_at: Date };

export type InstallationDoc = DataVersionDoc | WritingDoc | ArrivingDoc;
