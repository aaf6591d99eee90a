/**
 * MongoDB's own error shape: a number, its name and a message. Drivers act on the number, people read the
 * message. Everything the engine refuses goes through here; any other thrown Error is a fault of ours.
 */
const NAMES = {
  1: "InternalError",
  2: "BadValue",
  6: "HostUnreachable",
  7: "HostNotFound",
  8: "UnknownError",
  9: "FailedToParse",
  13: "Unauthorized",
  14: "TypeMismatch",
  15: "Overflow",
  16: "InvalidLength",
  17: "ProtocolError",
  18: "AuthenticationFailed",
  20: "IllegalOperation",
  22: "InvalidBSON",
  26: "NamespaceNotFound",
  27: "IndexNotFound",
  28: "PathNotViable",
  34: "CannotBackfillArray",
  40: "ConflictingUpdateOperators",
  43: "CursorNotFound",
  50: "MaxTimeMSExpired",
  52: "DollarPrefixedFieldName",
  53: "InvalidIdField",
  54: "NotSingleValueField",
  56: "EmptyFieldName",
  59: "CommandNotFound",
  64: "WriteConcernFailed",
  66: "ImmutableField",
  67: "CannotCreateIndex",
  72: "InvalidOptions",
  73: "InvalidNamespace",
  79: "UnknownReplWriteConcern",
  85: "IndexOptionsConflict",
  86: "IndexKeySpecsConflict",
  89: "NetworkTimeout",
  91: "ShutdownInProgress",
  96: "OperationFailed",
  100: "UnsatisfiableWriteConcern",
  111: "NotExactValueField",
  168: "InvalidPipelineOperator",
  175: "QueryPlanKilled",
  189: "PrimarySteppedDown",
  197: "InvalidIndexSpecificationOption",
  224: "QueryFeatureNotAllowed",
  225: "TransactionTooOld",
  238: "NotImplemented",
  241: "ConversionFailure",
  262: "ExceededTimeLimit",
  292: "QueryExceededMemoryLimitNoDiskUseAllowed",
  9001: "SocketException",
  10107: "NotWritablePrimary",
  10334: "BSONObjectTooLarge",
  11000: "DuplicateKey",
  11600: "InterruptedAtShutdown",
  11602: "InterruptedDueToReplStateChange",
  13435: "NotPrimaryNoSecondaryOk",
  13436: "NotPrimaryOrSecondary",
  14031: "OutOfDiskSpace",
  50768: "NotARetryableWriteCommand",
} as const satisfies Record<number, string>;

export class EngineError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Fields that MongoDB puts beside the message, e.g. keyPattern and keyValue of a duplicate key. */
  readonly context: Record<string, unknown>;

  constructor(code: number, message: string, context: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.codeName = (NAMES as Record<number, string>)[code] ?? `Location${code}`;
    this.context = context;
  }
}

/** Throws; typed `never`, so that `x ?? fail(…)` and exhaustive branches read well. */
export function fail(code: number, message: string, context?: Record<string, unknown>): never {
  throw new EngineError(code, message, context);
}

/** Refuses a feature of MongoDB that the engine does not have. */
export function failUnsupported(what: string): never {
  throw new EngineError(238, `${what} is not supported by the embedded engine`);
}
