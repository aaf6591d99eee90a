type Json = Record<string, unknown>;

/** The meaning of a body's field, unless its schema has a description. */
const MEANINGS: Record<string, string> = {
  action_id: "Id of the quick fix.",
  alert: "The alert to explain, where it is not stored here.",
  alert_uid: "Id of the alert.",
  alerts: "The alerts, as Alertmanager sends them.",
  anchor_id: "The heading that the note belongs to.",
  anchor_text: "The text of that heading.",
  branch: "The branch to write to; the default branch without it.",
  checked: "Whether the task is done.",
  code: "The text of the program.",
  color: "yellow, pink, blue, green, orange, purple or `#rrggbb`.",
  content: "The text.",
  description: "What the file is for.",
  endpoint: "The address that the browser gave for this device.",
  expires_in_days: "After how many days the link ends.",
  file_id: "Id of the file.",
  file_ids: "Ids of the files.",
  file_name: "Name of the file, without its folders.",
  folder_id: "Id of the folder; null for no folder.",
  follow: "True shows the folder as it is when the link is opened; false as it is now.",
  index: "Which task of the note, counted from 0.",
  is_minimized: "Whether only the title of the note shows.",
  keys: "The keys that the browser gave for this device.",
  language: "Name of the language, such as `python`.",
  line_end: "The last line that the note belongs to.",
  line_start: "The first line that the note belongs to.",
  lines: "The lines to show, such as `4-8`; all without it.",
  max_views: "After how many views the link ends; null for no limit.",
  message: "The message of the commit.",
  minutes: "How many minutes from now.",
  name: "The name.",
  older_than_days: "Devices that nothing was sent to for so many days are removed.",
  parent_id: "Id of the folder around it; null for none.",
  password: "The password of the link.",
  permanent: "True for a link that does not end.",
  position: "Where the note is, in pixels.",
  preset: "When, counted from now or at a fixed hour. Send this or `at`.",
  question: "What to explain in particular.",
  repo_path: "Path of the file in the mirror.",
  repository: "The repository that was pushed to.",
  share_id: "Id of the link.",
  size: "How large the note is, in pixels.",
  status: "What the step ended with.",
  step: "Name of the step.",
  tags: "The tags.",
  title: "The title, of one line; null for none.",
  ttl_days: "After how many days the trash deletes them forever.",
  updates: "The changes, each with the id of its note.",
  url: "The address.",
  version: "Number of the version; the newest without it.",
  via: "Which process sends it.",
};

export function addFieldDescriptions(shape: Json): Json {
  if (typeof shape.properties !== "object") return shape;
  const fields = Object.entries(shape.properties as Record<string, Json>).map(([name, field]) => [
    name,
    field.description === undefined && MEANINGS[name] ? { ...field, description: MEANINGS[name] } : field,
  ]);
  return { ...shape, properties: Object.fromEntries(fields) };
}
