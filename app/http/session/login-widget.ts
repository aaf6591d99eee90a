/** The messenger's own login widget. It is loaded on /login, by the page's nonce, and nowhere else. */
export const WIDGET_SCRIPT = "https://telegram.org/js/telegram-widget.js?22";
export const WIDGET_FRAME_ORIGIN = "https://oauth.telegram.org";

/** Where people are sent to log in. */
export const LOGIN_PATH = "/login";

type Bot = { messengerBotToken: string; messengerBotName: string };

export function hasWidget(bot: Bot): boolean {
  return bot.messengerBotToken !== "" && bot.messengerBotName !== "";
}
