/** Words to the letter, a number that is a rule, a yes or no, or a pattern where the words hold a figure. */
export type Expected = string | number | boolean | RegExp;
