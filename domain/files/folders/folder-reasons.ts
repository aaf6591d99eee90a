import { coded } from "#domain/reason.ts";

export const FOLDER_REASONS = {
  folder_not_found: coded(404, "folder_not_found", "This folder does not exist."),
  invalid_folder_name: coded(400, "invalid_folder_name", "A folder cannot have this name."),
  folder_name_taken: coded(409, "name_taken", "Another folder here has this name."),
  name_of_folder: coded(409, "name_taken", "A folder here has this name."),
  name_of_file: coded(409, "name_taken", "A file here has this name."),
  folder_into_itself: coded(409, "folder_into_itself", "A folder cannot be moved into itself."),
  folder_empty: coded(409, "folder_empty", "The folder has no files to share."),
  folder_too_large: coded(409, "folder_too_large", "A link to a folder can have up to 500 files."),
  folder_not_chosen: coded(400, "folder_not_chosen", "Choose a folder."),
  folder_not_empty: coded(409, "folder_not_empty", "The folder is not empty."),
  folder_too_deep: coded(409, "folder_too_deep", "Folders can be up to 16 deep."),
  folder_limit: coded(409, "folder_limit", "You have 5,000 folders, the maximum. Delete one first."),
  folders_busy: coded(
    503,
    "folders_busy",
    "The folders are being changed a lot right now. Try again in a moment.",
  ),
};
