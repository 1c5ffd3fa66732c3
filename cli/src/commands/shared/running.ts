import { isLocked } from '@oja/platform';
import type { Ground } from '../../market/part.js';

/** Whether the whole market runs on this data folder; services that run alone do not show. */
export const isRunning = ({ config }: Pick<Ground, 'config'>): boolean => isLocked(config.dataDir);
