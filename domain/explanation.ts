/** What is said to explain something: a piece of code, an error, or an alert. */
export type Explanation = {
  root_cause: string;
  actions: string[];
  signals: string[];
  /** `local` where our own rules made it, else the name of the model that did. */
  provider: string;
  cached: boolean;
  generated_at: string;
};
