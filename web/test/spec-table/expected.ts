/** An exact text, a number, a yes or no, or a pattern where the text holds a figure. */
export type Expected = string | number | boolean | RegExp;
