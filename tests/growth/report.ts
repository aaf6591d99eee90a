export type GrowthReading = {
  call: string;
  feed: string;
  text: string;
  usedMs: number;
  longestMs: number;
  answerBytes: number;
  fault: string | null;
};

export type GrowthReport = { readings: GrowthReading[] };
