const MOTIFS = 8;

/** The cloth of a seller: FNV-1a of the id, modulo the eight motifs. The same everywhere, for ever. */
export function motifNumber(sellerId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < sellerId.length; i += 1) {
    hash ^= sellerId.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash % MOTIFS;
}
