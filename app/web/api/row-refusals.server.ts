import type { Endpoint, Gate } from "#app/web/api/api.server.ts";
import { FILE_PATH_REFUSALS } from "#domain/files/folders/file-path.ts";
import type { RefusalCode } from "#domain/refusal.ts";

/** Refusals that any call may answer with. */
export const ANY_CALL: readonly RefusalCode[] = [
  "unreadable_request",
  "account_locked",
  "cross_site_request",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "payload_too_large",
  "rate_limit_exceeded",
  "headers_too_large",
  "internal",
  "account_leaving",
  "server_busy",
  "storage_unavailable",
  "writing_paused",
  "disk_full",
];

const BY_GATE: Record<Gate, readonly RefusalCode[]> = {
  public: [],
  user: ["auth_required"],
  admin: ["auth_required", "admin_only"],
};

/** The refusals that a path's parameter brings along: nothing has this id or name, or the file path is invalid. */
const BY_PARAMETER: Record<string, RefusalCode | readonly RefusalCode[]> = {
  alert_uid: "alert_not_found",
  announcement_id: "announcement_not_found",
  board_id: "board_not_found",
  file_id: "file_not_found",
  folder_id: "folder_not_found",
  job_id: "job_not_found",
  note_id: "note_not_found",
  path: ["file_not_found", ...FILE_PATH_REFUSALS],
  repo_name: "repo_not_found",
  run_id: "run_not_found",
  share_id: "share_not_found",
};

export function listRefusals(row: Endpoint): RefusalCode[] {
  const { method, path, gate, query, body, conditions, refuses = [] } = row;
  const parameters = [...String(path).matchAll(/[:*](\w+)/g)].map(([, name = ""]) => name);
  const codes: (RefusalCode | undefined)[] = [
    ...BY_GATE[gate as Gate],
    gate !== "public" && method !== "GET" ? "read_only_token" : undefined,
    query && "invalid_query",
    body && (!("rawMaxBytes" in body) || body.json) ? "invalid_payload" : undefined,
    ...parameters.flatMap((name) => BY_PARAMETER[name]),
    conditions && "version_changed",
    ...refuses,
  ];
  return [...new Set(codes.filter((code) => code !== undefined))];
}
