/** The chunk and all it imports without waiting, by their keys in vite's manifest. */
export function closure(manifest, key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const next of manifest[key].imports ?? []) closure(manifest, next, found);
  return found;
}
