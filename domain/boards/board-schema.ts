import { z } from "zod";
import { BOARD_NAME_LIMITS, BOARD_NAME_MAX, checkBoardName } from "#domain/boards/board.ts";
import { refuseWith, withRule } from "#domain/schema.ts";

/** The name of a board, in requests, forms and imports. */
export const boardName = withRule(
  z.string(refuseWith("invalid_board_name", BOARD_NAME_LIMITS)),
  checkBoardName,
).meta({ minLength: 1, maxLength: BOARD_NAME_MAX, description: "One line; spaces around it are dropped." });

/** What is asked of a new board, and of one that gets another name. */
export const boardRequest = z.object({ name: boardName });
