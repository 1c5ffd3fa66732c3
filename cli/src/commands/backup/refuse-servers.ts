import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { files, MARKER_FILE, type Plan, SECRETS_FILE } from '@oja/platform';
import { usageExit } from '../../terminal/exit.js';

/** What a market on servers still keeps in its data folder and nowhere else, but for its log. */
function filesOnlyHere({ variables, dataDir, demo }: Plan): readonly string[] {
  const { MONGODB_URL, CLOUDINARY_URL } = variables;
  // Pictures from before they went to another host are still shown from here.
  const hasPictures = CLOUDINARY_URL === undefined || existsSync(join(dataDir, files.pictures));
  const left = [
    ...(MONGODB_URL === undefined ? [files.state, files.keys] : []),
    ...(hasPictures ? [files.pictures] : []),
  ];
  return [...(demo ? [SECRETS_FILE] : []), ...(left.length > 0 ? [MARKER_FILE] : []), ...left];
}

/** Every part of the market, with how it is copied, in the order in which that is done. */
function backupInstructions(plan: Plan): readonly string[] {
  const { EVENTSTORE_URL, MONGODB_URL } = plan.variables;
  const left = filesOnlyHere(plan);
  const there = `${left.join(', ')} in ${plan.dataDir}`;
  return [
    EVENTSTORE_URL === undefined
      ? `${files.log} in ${plan.dataDir} holds the events: keep them with 'oja export'`
      : "EVENTSTORE_URL keeps the events in EventStoreDB: copy its folder as its own documentation says, or keep the events with 'oja export'",
    ...(MONGODB_URL === undefined
      ? []
      : [
          'MONGODB_URL keeps documents, state and keys in MongoDB: after the log, use mongodump --oplog, and keep the database of the keys apart',
        ]),
    ...(left.includes(files.keys)
      ? [
          `after the log, stop every service and copy ${there}, with what lies beside the databases (-wal, -shm), and keep ${files.keys} apart from the rest`,
        ]
      : left.length > 0
        ? [`after the log, copy ${there}`]
        : []),
  ];
}

/** How every part comes back, in order: an export goes beside the State that belongs to it. */
function restoreInstructions(plan: Plan): readonly string[] {
  const { EVENTSTORE_URL, MONGODB_URL } = plan.variables;
  const left = filesOnlyHere(plan);
  return [
    ...(MONGODB_URL === undefined
      ? []
      : [
          'MONGODB_URL keeps documents, state and keys in MongoDB: use mongorestore --oplogReplay, before any service is started again',
        ]),
    ...(left.length > 0 ? [`put back ${left.join(', ')} in ${plan.dataDir}`] : []),
    EVENTSTORE_URL === undefined
      ? `${files.log} comes last: bring its export in with 'oja import'`
      : "EVENTSTORE_URL keeps the events in EventStoreDB: put its folder back as its own documentation says, or, last, bring an export in with 'oja import'",
    'whoever was erased since the copies were made has a key again: erase them again',
  ];
}

/**
 * A copy of the files is a whole market only when no data lies outside the data folder.
 * @throws Exit 2 naming every part of the market, and how to back it up or to restore it.
 */
export function refuseServers(plan: Plan, way: 'backup' | 'restore'): void {
  const { EVENTSTORE_URL, MONGODB_URL } = plan.variables;
  if (EVENTSTORE_URL === undefined && MONGODB_URL === undefined) return;
  const [parts, outcome] =
    way === 'backup'
      ? [backupInstructions(plan), 'Nothing was copied']
      : [restoreInstructions(plan), 'Nothing was changed'];
  throw usageExit(`This market is not only in its files. ${parts.join('; ')}. ${outcome}.`);
}
