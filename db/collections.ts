import type { Collection, CollectionOptions, Document } from "mongodb";
import type {
  FeedDoc,
  IdentityDoc,
  InstructionsDoc,
  InvitationDoc,
  JoinRequestDoc,
  SecurityLogDoc,
  TokenDoc,
  UsedLoginDoc,
  UserDoc,
} from "#db/accounts/documents.ts";
import type {
  ActiveAnnouncementDoc,
  AlertCooldownDoc,
  AlertDoc,
  AlertExplanationDoc,
  AnnouncementDoc,
  QuickFixUseDoc,
} from "#db/alerts/documents.ts";
import type { RunResultDoc } from "#db/code-runs/documents.ts";
import { UNCONFIRMED } from "#db/core/driver/write-concern.ts";
import type { InstallationDoc } from "#db/core/installation/documents.ts";
import type { DavDepartureDoc, DavJunkDoc, DavLocksDoc } from "#db/dav/documents.ts";
import type { EventCountDoc, EventDoc, RequestTimingDoc } from "#db/events/documents.ts";
import type { BodyDoc, FileDoc, TallyDoc, UsageDoc, VersionDoc } from "#db/files/documents.ts";
import type { FolderChangesDoc, FolderTreeDoc } from "#db/files/folders/documents.ts";
import type { JobRunDoc, JobSettingDoc, WorkerDoc } from "#db/jobs/documents.ts";
import type { LibraryImportChunkDoc, LibraryImportDoc } from "#db/library-zip/documents.ts";
import type { BoardDoc } from "#db/notes/boards/documents.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import type { PushEventDoc, PushSubscriptionDoc } from "#db/reminders/push/documents.ts";
import type {
  RepoAnalysisDoc,
  RepoCommitDoc,
  RepoDoc,
  RepoFileDoc,
  RepoFolderDoc,
  RepoRenameDoc,
  RepoTextDoc,
  WebhookDeliveryDoc,
} from "#db/repos/documents.ts";
import type { ChunkDoc, SearchNumberDoc, SegmentDoc } from "#db/segments/documents.ts";
import type { ShareDoc } from "#db/shares/documents.ts";

/** The options of a collection's writes. `document` only gives the type and has no value. */
type CollectionSpec<Doc extends Document> = { options: CollectionOptions; document?: Doc };

function collection<Doc extends Document>(options: CollectionOptions = {}): CollectionSpec<Doc> {
  return { options };
}

/** For metrics, heartbeats, caches and search data, which can be rebuilt or missed if a server is lost. */
const BEST_EFFORT = { writeConcern: UNCONFIRMED } satisfies CollectionOptions;

/** Every collection with the type of its documents. Other tables of collections are keyed by these names. */
export const COLLECTIONS = {
  installation: collection<InstallationDoc>(),
  users: collection<UserDoc>(),
  identities: collection<IdentityDoc>(),
  invitations: collection<InvitationDoc>(),
  join_requests: collection<JoinRequestDoc>(),
  security_logs: collection<SecurityLogDoc>(),
  used_logins: collection<UsedLoginDoc>(),
  tokens: collection<TokenDoc>(),
  agent_instructions: collection<InstructionsDoc>(),
  feeds: collection<FeedDoc>(),
  announcements: collection<AnnouncementDoc>(),
  active_announcement: collection<ActiveAnnouncementDoc>(),
  files: collection<FileDoc>(),
  folder_trees: collection<FolderTreeDoc>(),
  folder_changes: collection<FolderChangesDoc>(),
  dav_locks: collection<DavLocksDoc>(),
  dav_departures: collection<DavDepartureDoc>(BEST_EFFORT),
  dav_junk: collection<DavJunkDoc>(BEST_EFFORT),
  file_versions: collection<VersionDoc>(),
  file_bodies: collection<BodyDoc>(),
  search_segments: collection<SegmentDoc>(BEST_EFFORT),
  search_chunks: collection<ChunkDoc>(BEST_EFFORT),
  search_numbers: collection<SearchNumberDoc>(BEST_EFFORT),
  library_tallies: collection<TallyDoc>(BEST_EFFORT),
  library_imports: collection<LibraryImportDoc>(),
  library_import_chunks: collection<LibraryImportChunkDoc>(),
  library_usage: collection<UsageDoc>(),
  notes: collection<NoteDoc>(),
  boards: collection<BoardDoc>(),
  run_results: collection<RunResultDoc>(),
  reminders: collection<ReminderDoc>(),
  shares: collection<ShareDoc>(),
  push_subscriptions: collection<PushSubscriptionDoc>(),
  push_events: collection<PushEventDoc>(),
  job_runs: collection<JobRunDoc>(),
  job_settings: collection<JobSettingDoc>(),
  workers: collection<WorkerDoc>(BEST_EFFORT),
  events: collection<EventDoc>(BEST_EFFORT),
  event_counts: collection<EventCountDoc>(BEST_EFFORT),
  request_timings: collection<RequestTimingDoc>(BEST_EFFORT),
  alerts: collection<AlertDoc>(),
  alert_cooldowns: collection<AlertCooldownDoc>(BEST_EFFORT),
  alert_explanations: collection<AlertExplanationDoc>(BEST_EFFORT),
  quick_fix_uses: collection<QuickFixUseDoc>(BEST_EFFORT),
  repos: collection<RepoDoc>(),
  repo_files: collection<RepoFileDoc>(),
  repo_folders: collection<RepoFolderDoc>(),
  repo_texts: collection<RepoTextDoc>(),
  repo_renames: collection<RepoRenameDoc>(),
  repo_commits: collection<RepoCommitDoc>(),
  repo_analyses: collection<RepoAnalysisDoc>(),
  webhook_deliveries: collection<WebhookDeliveryDoc>(),
};

export type CollectionName = keyof typeof COLLECTIONS;

export type DocumentIn<Name extends CollectionName> =
  (typeof COLLECTIONS)[Name] extends CollectionSpec<infer Doc> ? Doc : never;

export type Collections = { [Name in CollectionName]: Collection<DocumentIn<Name>> };
