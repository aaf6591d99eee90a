/** The reason of a run's signal if a person cancelled the run; a stopping worker aborts with another reason. */
export class RunCancelled extends Error {
  override name = "RunCancelled";
  override message = "The run was cancelled";
}
