import { agentEndpoints } from "#app/accounts/agent.server.ts";
import { meEndpoints } from "#app/accounts/me.server.ts";
import { welcomeEndpoints } from "#app/accounts/welcome.server.ts";
import { codeEndpoints } from "#app/code-runs/code.server.ts";
import { codeToolEndpoints } from "#app/code-runs/code-tools.server.ts";
import { explainEndpoints } from "#app/code-runs/explain.server.ts";
import { bulkEndpoints } from "#app/files/bulk.server.ts";
import { fileActionEndpoints } from "#app/files/file-actions.server.ts";
import { fileEndpoints } from "#app/files/files.server.ts";
import { folderContentsEndpoints } from "#app/files/folders/folder-contents.server.ts";
import { folderEndpoints } from "#app/files/folders/folders.server.ts";
import { versionEndpoints } from "#app/files/versions/versions.server.ts";
import { gistEndpoints } from "#app/gists/gists.server.ts";
import { addOpenApiEndpoint } from "#app/main/openapi.server.ts";
import { boardEndpoints } from "#app/notes/boards/note-boards.server.ts";
import { noteOperationEndpoints } from "#app/notes/note-operations.server.ts";
import { noteEndpoints } from "#app/notes/notes.server.ts";
import { repoNoteEndpoints } from "#app/notes/repo-notes.server.ts";
import { alertIntakeEndpoints } from "#app/operators/alert-intake.server.ts";
import { indexEndpoints } from "#app/operators/indexes.server.ts";
import { jobEndpoints } from "#app/operators/jobs.server.ts";
import { observabilityEndpoints } from "#app/operators/observability.server.ts";
import { statsEndpoints } from "#app/operators/stats.server.ts";
import { pushEndpoints } from "#app/reminders/push.server.ts";
import { reminderEndpoints } from "#app/reminders/reminders.server.ts";
import { codehostWebhookEndpoints } from "#app/repos/codehost-webhook.server.ts";
import { repoWorkEndpoints } from "#app/repos/repo-work.server.ts";
import { repoEndpoints } from "#app/repos/repos.server.ts";
import { searchEndpoints } from "#app/search/search.server.ts";
import { fileLinkEndpoints, folderLinkEndpoints, shareEndpoints } from "#app/shares/shares.server.ts";
import { createApi } from "#app/web/api/api.server.ts";

export const endpoints = addOpenApiEndpoint({
  Files: [
    ...fileEndpoints,
    ...fileActionEndpoints,
    ...bulkEndpoints,
    ...fileLinkEndpoints,
    ...versionEndpoints,
    ...gistEndpoints,
  ],
  Folders: [...folderEndpoints, ...folderLinkEndpoints, ...folderContentsEndpoints],
  Search: searchEndpoints,
  Notes: [...noteOperationEndpoints, ...repoNoteEndpoints, ...noteEndpoints, ...boardEndpoints],
  Reminders: [...reminderEndpoints, ...pushEndpoints],
  Links: shareEndpoints,
  Mirrors: [...repoEndpoints, ...repoWorkEndpoints, ...codehostWebhookEndpoints],
  Code: [...codeToolEndpoints, ...codeEndpoints, ...explainEndpoints],
  Account: [...meEndpoints, ...statsEndpoints, ...welcomeEndpoints, ...agentEndpoints],
  Administration: [...jobEndpoints, ...indexEndpoints, ...alertIntakeEndpoints, ...observabilityEndpoints],
});

export const api = createApi(endpoints);
