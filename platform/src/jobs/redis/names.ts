/** All keys of the market in a Redis that others may use as well begin with it. */
export const defaultPrefix = 'oja';

/** BullMQ has one name for every kind of job of a queue, and refuses ids that are whole numbers. */
export const jobName = 'job';
const idPrefix = `${jobName}-`;

/** A job's id as BullMQ takes it. */
export const storedId = (id: string): string => `${idPrefix}${id}`;

/** The way back. */
export const portId = (stored: string): string => stored.slice(idPrefix.length);
