// Without it a text is copied by selecting it, and a file also by downloading it.

export function enhanceCopy(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy], [data-copy-text]")) {
    if ("clipboard" in navigator) button.classList.remove("needs-script");
    button.addEventListener("click", () => copyToClipboard(button));
  }
}

async function copyToClipboard(button: HTMLButtonElement): Promise<void> {
  const { copied = "", copyFailed = "" } = button.dataset;
  try {
    // The text is passed as a promise inside the click, because browsers demand a user gesture for the clipboard.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": fetchText(button) })]);
    setLabel(button, copied);
  } catch {
    setLabel(button, copyFailed);
  }
}

async function fetchText({ dataset }: HTMLButtonElement): Promise<Blob> {
  if (dataset.copyText !== undefined) return new Blob([dataset.copyText], { type: "text/plain" });
  const address = dataset.copy ?? "";
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return new Blob([await answer.text()], { type: "text/plain" });
}

function setLabel(button: HTMLButtonElement, words: string): void {
  const label = button.querySelector("span");
  if (label) label.textContent = words;
}
