// Without it a file is copied by selecting it or downloading it.

/** Puts the exact text behind an address on the clipboard and says how that went in the button's own words. */
export function enhanceCopy(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    if ("clipboard" in navigator) button.classList.remove("needs-script");
    button.addEventListener("click", () => copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const { copy: address = "", copied = "", copyFailed = "" } = button.dataset;
  try {
    // The text is promised inside the click: a browser that wants a gesture for the clipboard does not see it late.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": textOf(address) })]);
    say(button, copied);
  } catch {
    say(button, copyFailed);
  }
}

async function textOf(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return new Blob([await answer.text()], { type: "text/plain" });
}

function say(button: HTMLButtonElement, words: string): void {
  const label = button.querySelector("span");
  if (label) label.textContent = words;
}
