import { type Collection, type Document, MongoClient } from "mongodb";
import type { InstructionsDoc } from "#db/accounts/agent-instructions.server.ts";
import type { FeedDoc } from "#db/accounts/feeds.server.ts";
import type { TokenDoc } from "#db/accounts/tokens.server.ts";
import type { UserDoc } from "#db/accounts/users.server.ts";
import type { AlertExplanationDoc } from "#db/alerts/alert-explanations.server.ts";
import type { AlertCooldownDoc, AlertDoc } from "#db/alerts/alerts.server.ts";
import type { ActiveAnnouncementDoc, AnnouncementDoc } from "#db/alerts/announcements.server.ts";
import type { QuickFixUseDoc } from "#db/alerts/quick-fix-uses.server.ts";
import type { BoardDoc } from "#db/boards/boards.server.ts";
import { endCommandsWithTheirSockets } from "#db/closed-sockets.ts";
import type { RunResultDoc } from "#db/code-runs/run-results.server.ts";
import { endCommandsOnServer } from "#db/command-deadlines.ts";
import type { EventCountDoc } from "#db/events/event-counts.server.ts";
import type { EventDoc } from "#db/events/events.server.ts";
import type { RequestTimingDoc } from "#db/events/request-timings.server.ts";
import type { VersionDoc } from "#db/files/file-versions.server.ts";
import type { BodyDoc, FileDoc } from "#db/files/files.server.ts";
import type { TallyDoc } from "#db/files/library-tally.server.ts";
import type { StorageLimits, UsageDoc } from "#db/files/library-usage.server.ts";
import type { JobRunDoc } from "#db/jobs/job-runs.server.ts";
import type { JobSettingDoc } from "#db/jobs/job-settings.server.ts";
import type { WorkerDoc } from "#db/jobs/workers.server.ts";
import type { LibraryImportChunkDoc } from "#db/library-zip/library-import-archives.server.ts";
import type { LibraryImportDoc } from "#db/library-zip/library-imports.server.ts";
import { repeatQuestionsWithLostCursors } from "#db/lost-cursors.ts";
import type { NoteDoc } from "#db/notes/note-docs.server.ts";
import { measurePool } from "#db/pool-metrics.ts";
import { type Primary, watchPrimary } from "#db/primary.ts";
import type { PushEventDoc } from "#db/push/push-events.server.ts";
import type { PushSubscriptionDoc } from "#db/push/push-subscriptions.server.ts";
import type { ReminderDoc } from "#db/reminders/reminders.server.ts";
import type { RepoAnalysisDoc } from "#db/repos/repo-analyses.server.ts";
import type {
  RepoCommitDoc,
  RepoFileDoc,
  RepoFolderDoc,
  RepoRenameDoc,
  RepoTextDoc,
} from "#db/repos/repo-contents.server.ts";
import type { RepoDoc } from "#db/repos/repos.server.ts";
import type { WebhookDeliveryDoc } from "#db/repos/webhook-deliveries.server.ts";
import { repeatWritesOfUnknownFate } from "#db/retryable-errors.ts";
import type { IndexQueue } from "#db/search/index-queue.ts";
import type { PostingDoc, SearchNumberDoc } from "#db/search/postings.server.ts";
import type { ShareDoc } from "#db/shares/shares.server.ts";
import { SAVED, UNCONFIRMED } from "#db/write-concern.ts";
import type { Emit } from "#domain/events/events.ts";
import type { Metrics } from "#platform/metrics.ts";
import type { ThreadPool } from "#platform/thread-pool.ts";

/** Every collection of the product and the shape of its documents. */
export type Collections = {
  users: Collection<UserDoc>;
  tokens: Collection<TokenDoc>;
  agent_instructions: Collection<InstructionsDoc>;
  feeds: Collection<FeedDoc>;
  announcements: Collection<AnnouncementDoc>;
  active_announcement: Collection<ActiveAnnouncementDoc>;
  files: Collection<FileDoc>;
  file_versions: Collection<VersionDoc>;
  file_bodies: Collection<BodyDoc>;
  postings: Collection<PostingDoc>;
  search_numbers: Collection<SearchNumberDoc>;
  library_tallies: Collection<TallyDoc>;
  library_imports: Collection<LibraryImportDoc>;
  library_import_chunks: Collection<LibraryImportChunkDoc>;
  library_usage: Collection<UsageDoc>;
  notes: Collection<NoteDoc>;
  boards: Collection<BoardDoc>;
  run_results: Collection<RunResultDoc>;
  reminders: Collection<ReminderDoc>;
  shares: Collection<ShareDoc>;
  push_subscriptions: Collection<PushSubscriptionDoc>;
  push_events: Collection<PushEventDoc>;
  job_runs: Collection<JobRunDoc>;
  job_settings: Collection<JobSettingDoc>;
  workers: Collection<WorkerDoc>;
  events: Collection<EventDoc>;
  event_counts: Collection<EventCountDoc>;
  request_timings: Collection<RequestTimingDoc>;
  alerts: Collection<AlertDoc>;
  alert_cooldowns: Collection<AlertCooldownDoc>;
  alert_explanations: Collection<AlertExplanationDoc>;
  quick_fix_uses: Collection<QuickFixUseDoc>;
  repos: Collection<RepoDoc>;
  repo_files: Collection<RepoFileDoc>;
  repo_folders: Collection<RepoFolderDoc>;
  repo_texts: Collection<RepoTextDoc>;
  repo_renames: Collection<RepoRenameDoc>;
  repo_commits: Collection<RepoCommitDoc>;
  repo_analyses: Collection<RepoAnalysisDoc>;
  webhook_deliveries: Collection<WebhookDeliveryDoc>;
};

export type CollectionName = keyof Collections;

/** The collections, and what is known about the server that takes their writes. */
export type Stores = Collections & { primary: Primary };

/**
 * What a store verb works with: the stores, the voice it announces its events with, and how much each person may store.
 * The limits are here so that no way of storing can leave them out; commands of an operator have none.
 */
export type Db = Stores & {
  emit: Emit;
  limits?: StorageLimits;
  /** Where verbs do work that a person's text can make long. Processes that serve nobody have none and do it at once. */
  threads?: ThreadPool;
  /** Where changed files wait to be indexed. */
  indexQueue?: IndexQueue;
};

export type Connection = {
  collections: Stores;
  /** Untyped access by name, for index work and reports. */
  collection(name: string): Collection<Document>;
  ping(): Promise<void>;
  /** What this kind of deployment cannot promise, whatever is asked of it. */
  findWeakness(): Promise<Weakness | null>;
  close(): Promise<void>;
};

/** A standalone server loses with its disk what it had; a set with an arbiter may have no majority of data after one loss. */
export type Weakness = "standalone" | "arbiter";

export const WEAKNESSES: Record<Weakness, string> = {
  standalone:
    "MongoDB runs without a replica set: what is saved is lost with that one server, and interrupted writes are not repeated.",
  arbiter:
    "The replica set has an arbiter: after the loss of one data member, saving may stop until it is back.",
};

const COLLECTION_NAMES: Record<CollectionName, true> = {
  users: true,
  tokens: true,
  agent_instructions: true,
  feeds: true,
  announcements: true,
  active_announcement: true,
  files: true,
  file_versions: true,
  file_bodies: true,
  postings: true,
  search_numbers: true,
  library_tallies: true,
  library_imports: true,
  library_import_chunks: true,
  library_usage: true,
  notes: true,
  boards: true,
  run_results: true,
  reminders: true,
  shares: true,
  push_subscriptions: true,
  push_events: true,
  job_runs: true,
  job_settings: true,
  workers: true,
  events: true,
  event_counts: true,
  request_timings: true,
  alerts: true,
  alert_cooldowns: true,
  alert_explanations: true,
  quick_fix_uses: true,
  repos: true,
  repo_files: true,
  repo_folders: true,
  repo_texts: true,
  repo_renames: true,
  repo_commits: true,
  repo_analyses: true,
  webhook_deliveries: true,
};

/** Their records are figures, heartbeats, caches and search aids: made again or done without where a server is lost. */
const UNPROMISED: ReadonlySet<CollectionName> = new Set([
  "alert_cooldowns",
  "alert_explanations",
  "event_counts",
  "events",
  "library_tallies",
  "postings",
  "quick_fix_uses",
  "request_timings",
  "search_numbers",
  "workers",
]);

/** How long a question waits for a primary: an election takes 10 to 12 seconds. */
export const ELECTION_WAIT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 2_500;
const DEFAULT_DATABASE = "codeshelf";

export type ConnectOptions = {
  appName: string;
  /** The database, where it is not the one the address names. */
  databaseName?: string;
  /** How long the server may keep silent on a question; shortly before, it ends the question itself. Unlimited where it is not given. */
  timeoutMs?: number;
  /** Where the figures of the pool of connections go. */
  metrics?: Metrics;
};

/**
 * Opens a client whose writes reach a majority and whose reads go to the primary, whatever the address says. A write of unknown fate is
 * repeated under its number before anyone is told about it.
 */
export async function connectMongo(uri: string, options: ConnectOptions): Promise<Connection> {
  const { appName, databaseName, timeoutMs, metrics } = options;
  endCommandsWithTheirSockets();
  endCommandsOnServer();
  repeatQuestionsWithLostCursors();
  repeatWritesOfUnknownFate();
  const client = new MongoClient(uri, {
    appName,
    ignoreUndefined: true,
    retryReads: true,
    retryWrites: true,
    serverSelectionTimeoutMS: ELECTION_WAIT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    ...(timeoutMs === undefined ? {} : { socketTimeoutMS: timeoutMs }),
  });
  if (metrics) measurePool(client, metrics);
  const primary = watchPrimary(client);
  await client.connect().catch(async (error) => {
    await client.close();
    throw error;
  });
  const database = client.db(databaseName ?? databaseNameIn(uri) ?? DEFAULT_DATABASE, {
    readPreference: "primary",
    writeConcern: SAVED,
  });
  const names = Object.keys(COLLECTION_NAMES) as CollectionName[];
  const collections = Object.fromEntries(
    names.map((name) => [
      name,
      database.collection(name, UNPROMISED.has(name) ? { writeConcern: UNCONFIRMED } : {}),
    ]),
  ) as unknown as Collections;
  return {
    collections: { ...collections, primary },
    collection: (name) => database.collection(name),
    ping: async () => void (await database.command({ ping: 1 })),
    findWeakness: async () => toWeakness(await database.command({ hello: 1 })),
    close: () => client.close(),
  };
}

function toWeakness({ setName, msg, arbiters }: Document): Weakness | null {
  const isRouter = msg === "isdbgrid";
  if (!setName && !isRouter) return "standalone";
  return Array.isArray(arbiters) && arbiters.length > 0 ? "arbiter" : null;
}

function databaseNameIn(uri: string): string | undefined {
  return /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
}
