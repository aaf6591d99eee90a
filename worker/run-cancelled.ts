/** Why a run's signal is aborted where a person stopped the run; a worker that stops aborts with another reason. */
export class RunCancelled extends Error {
  override name = "RunCancelled";
  override message = "The run was cancelled";
}
