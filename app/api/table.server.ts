import { agentEndpoints } from "#app/api/agent.server.ts";
import { alertIntakeEndpoints } from "#app/api/alert-intake.server.ts";
import { bulkEndpoints } from "#app/api/bulk.server.ts";
import { careEndpoints } from "#app/api/care.server.ts";
import { codeEndpoints } from "#app/api/code.server.ts";
import { codeToolEndpoints } from "#app/api/code-tools.server.ts";
import { codehostWebhookEndpoints } from "#app/api/codehost-webhook.server.ts";
import { explainEndpoints } from "#app/api/explain.server.ts";
import { fileEndpoints } from "#app/api/files.server.ts";
import { indexEndpoints } from "#app/api/indexes.server.ts";
import { jobEndpoints } from "#app/api/jobs.server.ts";
import { meEndpoints } from "#app/api/me.server.ts";
import { boardEndpoints } from "#app/api/note-boards.server.ts";
import { noteOperationEndpoints } from "#app/api/note-operations.server.ts";
import { noteEndpoints } from "#app/api/notes.server.ts";
import { observabilityEndpoints } from "#app/api/observability.server.ts";
import { withOpenApi } from "#app/api/openapi.server.ts";
import { pushEndpoints } from "#app/api/push.server.ts";
import { reminderEndpoints } from "#app/api/reminders.server.ts";
import { repoNoteEndpoints } from "#app/api/repo-notes.server.ts";
import { repoWorkEndpoints } from "#app/api/repo-work.server.ts";
import { repoEndpoints } from "#app/api/repos.server.ts";
import { shareEndpoints } from "#app/api/shares.server.ts";
import { statsEndpoints } from "#app/api/stats.server.ts";
import { versionEndpoints } from "#app/api/versions.server.ts";
import { welcomeEndpoints } from "#app/api/welcome.server.ts";
import { createApi } from "#app/http/api.server.ts";

/** Every endpoint under /api. */
export const endpoints = withOpenApi([
  ...meEndpoints,
  ...fileEndpoints,
  ...careEndpoints,
  ...bulkEndpoints,
  ...statsEndpoints,
  ...versionEndpoints,
  ...reminderEndpoints,
  ...jobEndpoints,
  ...indexEndpoints,
  ...codeToolEndpoints,
  ...codeEndpoints,
  ...pushEndpoints,
  ...noteOperationEndpoints,
  ...repoNoteEndpoints,
  ...noteEndpoints,
  ...boardEndpoints,
  ...welcomeEndpoints,
  ...agentEndpoints,
  ...shareEndpoints,
  ...alertIntakeEndpoints,
  ...observabilityEndpoints,
  ...explainEndpoints,
  ...repoEndpoints,
  ...repoWorkEndpoints,
  ...codehostWebhookEndpoints,
]);

export const api = createApi(endpoints);
