// Without it only single files are uploaded; with it a whole folder is chosen, and its files keep their paths.

import { claimUploadResult, type UploadResult } from "#app/enhance/folders/upload-result.ts";

export function enhanceChooseFolder(): void {
  const result = claimUploadResult();
  if (result) void showUploadResult(result);
  const button = document.querySelector<HTMLButtonElement>("[data-choose-folder]");
  const input = document.createElement("input");
  if (!button || !("webkitdirectory" in input)) return;
  input.type = "file";
  input.webkitdirectory = true;
  button.classList.remove("needs-script");
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length > 0) void uploadChosenFolder(files);
  });
}

async function showUploadResult(result: UploadResult): Promise<void> {
  const { openFolderUpload } = await import("#app/enhance/folders/folder-upload.ts");
  openFolderUpload()?.showResult(result);
}

async function uploadChosenFolder(files: readonly File[]): Promise<void> {
  const [{ openFolderUpload }, { readChosen }] = await Promise.all([
    import("#app/enhance/folders/folder-upload.ts"),
    import("#app/enhance/folders/folder-files.ts"),
  ]);
  await openFolderUpload()?.upload(() => readChosen(files));
}
