import { z } from "zod";
import { BOARD_NAME_LIMITS, BOARD_NAME_MAX, checkBoardName } from "#domain/boards/board.ts";
import { toRefusalText, withRule } from "#domain/schema.ts";

export const boardName = withRule(
  z.string(toRefusalText("invalid_board_name", BOARD_NAME_LIMITS)),
  checkBoardName,
).meta({ minLength: 1, maxLength: BOARD_NAME_MAX, description: "One line; spaces around it are dropped." });

export const boardRequest = z.object({ name: boardName });
