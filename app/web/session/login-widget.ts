/** The messenger's login widget, loaded only on /login with the page's nonce. */
export const WIDGET_SCRIPT = "https://telegram.org/js/telegram-widget.js?22";
export const WIDGET_FRAME_ORIGIN = "https://oauth.telegram.org";

export const LOGIN_PATH = "/login";

type Bot = { messengerBotToken: string; messengerBotName: string };

export function hasWidget(bot: Bot): boolean {
  return bot.messengerBotToken !== "" && bot.messengerBotName !== "";
}
