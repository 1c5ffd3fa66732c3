/** Of all that is done to the market itself, by operators and by itself. */
export const OPERATIONS_STREAM = 'operations';
