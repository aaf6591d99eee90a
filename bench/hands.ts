/** A person's hands at a page: what they do is counted, apart from the text they type. */
import type { Locator, Page } from "playwright";

export class Hands {
  clicks = 0;
  keys = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator, modifiers: ("Shift" | "Control")[] = []): Promise<void> {
    this.clicks += 1;
    this.keys += modifiers.length;
    await target.click({ modifiers });
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Types into a field. One that has the focus needs no click. */
  async type(field: Locator, text: string): Promise<void> {
    const isFocused = await field.evaluate((element) => element === document.activeElement);
    if (!isFocused) await this.click(field);
    await this.page.keyboard.insertText(text);
  }

  /** A list of choices is opened and chosen from, or its name is typed. */
  async choose(list: Locator, label: string): Promise<void> {
    this.clicks += 2;
    await list.selectOption({ label });
  }
}
