export const HOME_SCENES = ["find", "run", "remind", "share"] as const;
export type HomeScene = (typeof HOME_SCENES)[number];
