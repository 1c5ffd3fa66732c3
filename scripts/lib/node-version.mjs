// Only syntax that every Node can run: this file tells users that their Node is too old.
const WANTED = [20, 19];

/** Exits with code 78 and one sentence when this Node is older than Oja needs. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1])) return;
  console.error(
    `Oja needs Node ${WANTED.join('.')} or newer and this is ${process.versions.node}: install a newer Node from nodejs.org and run the command again.`,
  );
  process.exit(78);
}
