/** What is known about the data as a whole. */
export type DataVersionDoc = {
  _id: "data";
  /** What the documents look like: grows with every change that code of before could not read. */
  version: number;
  updated_at: Date;
};

/** In the data that a move takes elsewhere: until when nobody may write, and where the data is now. */
export type WritingDoc = {
  _id: "writing";
  move_id: string;
  paused_until: Date | null;
  moved_at: Date | null;
  /** Without a password. */
  moved_to: string | null;
};

/** In the data that a move fills, until it is whole. */
export type ArrivingDoc = { _id: "arriving"; move_id: string; started_at: Date };

export type InstallationDoc = DataVersionDoc | WritingDoc | ArrivingDoc;
