import type { AllStreamResolvedEvent, MetadataType } from '@eventstore/db-client';

/** The metadata of an event of Oja. */
export const metadata = {
  actor: 'operator',
  commandId: 'c',
  correlationId: 'c',
  causationId: 'c',
  time: '2026-01-02T03:04:05.006Z',
  schemaVersion: 1,
};

/** An event as EventStoreDB's client returns it, at this log position; `beside` is its metadata. */
export const eventAt = (at: bigint, beside: MetadataType = {}): AllStreamResolvedEvent => ({
  event: {
    id: `${at}`,
    streamId: 'note-1',
    type: 'Noted',
    revision: at,
    isJson: true,
    created: new Date(0),
    data: {},
    metadata: beside,
    position: { commit: at, prepare: at },
  },
});
