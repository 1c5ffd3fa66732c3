import type { AllStreamResolvedEvent, MetadataType } from '@eventstore/db-client';

/** An event as EventStoreDB's client brings it; `metadata`: what stands beside its data. */
export const eventAt = (at: bigint, metadata: MetadataType = {}): AllStreamResolvedEvent => ({
  event: {
    id: `${at}`,
    streamId: 'note-1',
    type: 'Noted',
    revision: at,
    isJson: true,
    created: new Date(0),
    data: {},
    metadata,
    position: { commit: at, prepare: at },
  },
});
