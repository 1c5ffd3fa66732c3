// Makes a part of a server's log look like an empty log: a server has only one, and a test needs an empty one.
// Events up to the position `after` are hidden, and stream names get a prefix that nobody else uses.
export function ownLog(store, { prefix, after: begin }) {
  // Invalid names are passed on unchanged, so that the engine refuses them.
  const inside = (stream) =>
    typeof stream === 'string' && /^[a-z]/.test(stream) ? `${prefix}${stream}` : stream;
  const isOurs = ({ stream }) => stream.startsWith(prefix);
  const outside = (event) => ({ ...event, stream: event.stream.slice(prefix.length) });
  return {
    ...store,
    append: (stream, expected, events) => store.append(inside(stream), expected, events),
    async *readStream(stream, options) {
      for await (const event of store.readStream(inside(stream), options)) yield outside(event);
    },
    async *readAll({ after, limit = Number.POSITIVE_INFINITY }) {
      let left = limit;
      for await (const event of store.readAll({ after: after ?? begin })) {
        if (!isOurs(event)) continue;
        if (left <= 0) return;
        left -= 1;
        yield outside(event);
      }
    },
    // Others may have appended since, so the limit grows until enough of our own events are found.
    async readLast(limit) {
      for (let many = limit; ; many *= 4) {
        const last = await store.readLast(many);
        const ours = last.filter(isOurs).map(outside);
        const isPast = begin !== null && last.some(({ position }) => position <= begin);
        if (ours.length >= limit || last.length < many || isPast)
          return ours.slice(Math.max(0, ours.length - limit));
      }
    },
    async head() {
      const head = await store.head();
      return head === begin ? null : head;
    },
    async *subscribe(options) {
      for await (const item of store.subscribe({ ...options, after: options.after ?? begin })) {
        if (item.kind !== 'event') yield item;
        else if (isOurs(item.event)) yield { kind: 'event', event: outside(item.event) };
      }
    },
  };
}
