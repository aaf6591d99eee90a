/** What is known about the data as a whole. */
export type InstallationDoc = {
  _id: "data";
  /** What the documents look like: grows with every change that code of before could not read. */
  version: number;
  updated_at: Date;
};
