/** What the home page shows below its first picture, each with words and a picture of its own. */
export const HOME_SCENES = ["find", "run", "remind", "share"] as const;
export type HomeScene = (typeof HOME_SCENES)[number];
