/** Grows a text field with its lines; the note or the page around it scrolls. */
export function growWithText(text: HTMLTextAreaElement): void {
  const grow = () => {
    text.style.blockSize = "auto";
    text.style.blockSize = `${text.scrollHeight}px`;
  };
  text.addEventListener("input", grow);
  grow();
}
