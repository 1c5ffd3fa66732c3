/** The chunk and everything it imports statically, recursively, as keys of Vite's manifest. */
export function closure(manifest, key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const next of manifest[key].imports ?? []) closure(manifest, next, found);
  return found;
}
