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
import type { BoardDoc } from "#db/boards/documents.ts";
import type { RunResultDoc } from "#db/code-runs/documents.ts";
import type { DavDepartureDoc, DavJunkDoc, DavLocksDoc } from "#db/dav/documents.ts";
import { UNCONFIRMED } from "#db/driver/write-concern.ts";
import type { EventCountDoc, EventDoc, RequestTimingDoc } from "#db/events/documents.ts";
import type { BodyDoc, FileDoc, TallyDoc, UsageDoc, VersionDoc } from "#db/files/documents.ts";
import type { FolderChangesDoc, FolderTreeDoc } from "#db/folders/documents.ts";
import type { InstallationDoc } from "#db/installation/documents.ts";
import type { JobRunDoc, JobSettingDoc, WorkerDoc } from "#db/jobs/documents.ts";
import type { LibraryImportChunkDoc, LibraryImportDoc } from "#db/library-zip/documents.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { PushEventDoc, PushSubscriptionDoc } from "#db/push/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
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
import type { ChunkDoc, PostingDoc, SearchNumberDoc, SegmentDoc } from "#db/search/documents.ts";
import type { ShareDoc } from "#db/shares/documents.ts";

/** What a collection holds, and the guarantees of its writes. `document` says the type alone and has no value. */
type CollectionSpec<Doc extends Document> = { options: CollectionOptions; document?: Doc };

function collection<Doc extends Document>(options: CollectionOptions = {}): CollectionSpec<Doc> {
  return { options };
}

/** For figures, heartbeats, caches and search aids, which can be made again or missed if a server is lost. */
const UNPROMISED = { writeConcern: UNCONFIRMED } satisfies CollectionOptions;

/** Every collection of the product and the shape of its documents, a row each. What else is said of collections is keyed by these names. */
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
  dav_departures: collection<DavDepartureDoc>(UNPROMISED),
  dav_junk: collection<DavJunkDoc>(UNPROMISED),
  file_versions: collection<VersionDoc>(),
  file_bodies: collection<BodyDoc>(),
  search_segments: collection<SegmentDoc>(UNPROMISED),
  search_chunks: collection<ChunkDoc>(UNPROMISED),
  postings: collection<PostingDoc>(UNPROMISED),
  search_numbers: collection<SearchNumberDoc>(UNPROMISED),
  library_tallies: collection<TallyDoc>(UNPROMISED),
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
  workers: collection<WorkerDoc>(UNPROMISED),
  events: collection<EventDoc>(UNPROMISED),
  event_counts: collection<EventCountDoc>(UNPROMISED),
  request_timings: collection<RequestTimingDoc>(UNPROMISED),
  alerts: collection<AlertDoc>(),
  alert_cooldowns: collection<AlertCooldownDoc>(UNPROMISED),
  alert_explanations: collection<AlertExplanationDoc>(UNPROMISED),
  quick_fix_uses: collection<QuickFixUseDoc>(UNPROMISED),
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
