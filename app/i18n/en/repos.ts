import type { TargetState } from "#app/codehost/host-tree.ts";
import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { suggestions, syncErrors } from "#app/i18n/en/repo-refusals.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";
import type { RepoFileKind } from "#domain/repos/repo.ts";

const notes = counted("note", "notes");
const files = counted("file", "files");

/** The words about mirrored repositories. */
export const repos = {
  title: "Repositories",
  lead: "Copies of git repositories, to read, search and annotate here. A copy changes only when it is synced.",
  url: "Address of the repository",
  urlHint: "An https address, such as https://example.com/owner/name.git",
  name: "Name here",
  nameHint: "owner/name. Left empty, it is taken from the address.",
  token: "Access token",
  tokenHint: "Only for a repository that is not public. It is kept encrypted and never shown again.",
  more: "Another name, or a repository that is not public",
  mirror: "Mirror it",
  mirrored: (name: string) => `${isolateLtr(name)} is being copied`,
  none: "No repository is mirrored yet",
  noneLead: "Give the address of one above. Its files can then be read, searched and annotated here.",
  list: "Mirrored repositories",
  files,
  notes,
  noted: "Notes",
  states: {
    waiting: "Waiting for its first sync",
    syncing: "Syncing",
    ready: "In step",
    failed: "The last sync failed",
    unattended: "Waiting for a worker",
  },
  syncErrors: syncErrors,
  stale: "What is shown is from the last sync that succeeded.",
  lastSync: "Last sync",
  never: "Never",
  size: "Size",
  sync: "Sync now",
  syncing: (name: string) => `${isolateLtr(name)} is being synced`,
  reload: "Look again",
  unmirror: "Stop mirroring",
  unmirrorLead: (count: number) =>
    count === 0
      ? "The copy here is deleted. Nothing changes at the host, and files you imported stay in your library."
      : `The copy here is deleted. Your ${notes(count)} on its files ${count === 1 ? "stays, as an orphan" : "stay, as orphans"}: mirror it again under the same name and ${count === 1 ? "it is" : "they are"} back beside the lines. Nothing changes at the host, and files you imported stay in your library.`,
  unmirrorSure: "Delete the copy",
  unmirrored: (name: string) => `${isolateLtr(name)} is not mirrored any more. Notes on it are kept.`,
  orphanRepos: "Not mirrored any more",
  orphanReposLead:
    "These have notes of yours. Mirror one again under the same name to see them beside their lines.",
  parts: {
    files: "Files",
    search: "Search",
    orphans: "Orphans",
    import: "Import",
    analysis: "Analysis",
  },
  sections: "Parts of the repository",
  where: "Where you are",
  root: "All files",
  folder: "Folder",
  emptyTree: "There are no files here",
  emptyTreeLead: "The repository has no files yet, or none in this folder.",
  notYet: "The first sync is not done yet",
  notYetLead: "The copy is being made. Look again in a moment.",
  unattendedLead: "No worker is running on this server right now. The copy is made as soon as one is.",
  noTree: "The copy could not be made",
  noTreeLead: "Nothing was copied yet. Check the address, then sync again.",
  tooMany: (shown: number) => `Only the first ${amount(shown)} are shown.`,
  history: "History",
  historyOf: (name: string) => `History of ${isolateLtr(name)}`,
  historyNone: "No change of this file is known.",
  historyLead: "The latest changes the last sync knew of, newest first.",
  commit: "Change",
  author: "By",
  when: "When",
  what: "What",
  back: "Back to the file",
  save: "Save to my library",
  sorts: { binary: "Binary", symlink: "Link", submodule: "Repository" },
  kinds: {
    text: "The text of this file was replaced by a sync just now. Look again.",
    binary: "This file is not text, so it is not shown here.",
    large: "This file is larger than 1 MiB, so its text is not kept here.",
    symlink: "This is a link to another file of the repository; it is not followed.",
    submodule: "This is another repository inside this one; it is not mirrored along.",
  } satisfies Record<RepoFileKind, string>,
  searchFor: "Search names and contents",
  searchTitle: (name: string) => `Search ${isolateLtr(name)}`,
  searchLead: "Any text of a file's name or of its content. Capitals do not matter.",
  search: "Search",
  noHit: (words: string) => `Nothing has “${isolate(words)}”`,
  noHitLead: "Try fewer letters, or sync first if it is new at the host.",
  found: (count: number, more: boolean) => (more ? `The first ${files(count)}` : files(count)),
  orphansTitle: (name: string) => `Orphans of ${isolateLtr(name)}`,
  orphansLead:
    "Notes whose files are not in the mirrored copy. A file deleted at the host counts as here until the next sync.",
  orphansNone: "There are no orphans",
  orphansNoneLead: "Every note of yours on this repository has its file.",
  notMirrored:
    "This repository is not mirrored any more, so all its notes are orphans. Mirror it again under the same name and they are back beside their lines.",
  wasOn: "Last on",
  movedTo: (path: string) => `The sync saw this file move to ${isolateLtr(path)}.`,
  newPath: "New file for these notes",
  newPathHint: "The path of a file that is in the copy.",
  reattach: "Move the notes there",
  reattachTo: (path: string) => `Move to ${isolateLtr(path)}`,
  reattached: (count: number, path: string) =>
    `${count === 1 ? "1 note is" : `${amount(count)} notes are`} on ${isolateLtr(path)} now`,
  importTitle: (name: string) => `Import from ${isolateLtr(name)}`,
  importLead: "Copies files into your library, where they can be edited. They remember where they came from.",
  importFolder: "Folder",
  importFolderHint: "Nothing for the whole repository.",
  importLook: "See what would come",
  importPlan: (count: number) => `${files(count)} would be imported`,
  importDo: (count: number) => `Import ${files(count)}`,
  importSkipped: (count: number) =>
    count === 1
      ? "1 file stays out: it is not text, or larger than 1 MiB."
      : `${amount(count)} files stay out: they are not text, or larger than 1 MiB.`,
  importLimits: "One import takes at most 2,000 files of at most 1 MiB each, 20 MiB in all.",
  importName: "Name in the library",
  importFrom: "From",
  importBecomes: "Becomes",
  importNew: "a new file",
  importKnown: "a new version, if it changed",
  importing: "Importing…",
  importFailed:
    "The import failed. What arrived before stays in your library; importing again brings the rest.",
  importMissed: (count: number) =>
    `${files(count)} could not be imported. Importing again may bring the rest.`,
  importedFiles: "Show them in the library",
  imported: (created: number, updated: number, unchanged: number) =>
    `Imported: ${amount(created)} new, ${amount(updated)} changed, ${amount(unchanged)} as they were.`,
  analysisTitle: (name: string) => `Analysis of ${isolateLtr(name)}`,
  analysisNone: "Not analysed yet",
  analysisLead: "Looks at the mirrored copy: its languages, sizes, dependencies, and what may be missing.",
  analyse: "Analyse",
  analyseAgain: "Analyse again",
  analysing: "The analysis is under way. Look again in a moment.",
  analysisFailed: "The last analysis failed.",
  analysedAt: "Analysed",
  languages: "Languages",
  byBytes: "By size of the files",
  biggest: "Largest files",
  mostChanged: "Most changed files",
  changes: counted("change", "changes"),
  facts: "At a glance",
  readme: "README",
  licence: "Licence",
  tests: "Tests",
  ci: "Continuous integration",
  has: "Yes",
  hasNot: "Not found",
  dependencies: "Dependencies",
  dependenciesNone: "No list of dependencies was found.",
  dependencyCount: counted("dependency", "dependencies"),
  suggestions: "Suggestions",
  suggested: suggestions,
  suggestionsNone: "Nothing to suggest.",
  upload: "Send to the host",
  uploadTitle: (name: string) => `Send ${isolateLtr(name)} to the host`,
  uploadLead: (version: number) =>
    `Writes version ${version} as one commit through the host's API. A file that is there gets this text; nothing else changes.`,
  uploadRepo: "Repository and its main branch",
  uploadPath: "Path in the repository",
  uploadBranch: "Another branch",
  uploadBranchHint: "Left empty, it goes to the main branch.",
  uploadMessage: "Message of the commit",
  uploadMessageHint: "Left empty, it says which file was updated.",
  uploadDo: "Commit",
  uploadCheck: "Check the path first",
  uploadUnchecked: "So the folders there cannot be offered. The commit can be tried all the same.",
  uploadFolders: (count: number, whole: boolean) =>
    whole && count === 0
      ? "The branch has no folders yet."
      : whole
        ? `${count === 1 ? "The 1 folder" : `The ${count} folders`} of the branch ${count === 1 ? "is" : "are"} offered while you type.`
        : "The host does not list everything in so large a repository: only some of its folders are offered while you type.",
  uploadTargets: {
    new: (path: string) => `${isolateLtr(path)} is new there.`,
    file: (path: string) => `${isolateLtr(path)} is there already: the commit replaces its text.`,
    folder: (path: string) => `${isolateLtr(path)} is a folder there. Add the name of a file.`,
    blocked: (path: string) =>
      `${isolateLtr(path)} cannot be there: one of its folders is a file at the host.`,
    unknown: (path: string) =>
      `Whether ${isolateLtr(path)} is there already cannot be seen: the host's list is cut short.`,
  } satisfies Record<TargetState, (path: string) => string>,
  uploadNowhere: "There is no repository to send it to",
  uploadNowhereLead:
    "Mirror a repository of the code host with an access token that may write to it. It can then be chosen here.",
  uploaded: (path: string) => `${isolateLtr(path)} was committed at the host`,
  uploadedUnsynced: (path: string) =>
    `${isolateLtr(path)} was committed at the host. The copy here could not be synced just now; its next sync brings the change.`,
};
