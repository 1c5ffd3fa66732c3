#!/usr/bin/env node
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { useCompiled } from './code-cache.js';

/** Modification time in ms of a file, by its path relative to this one; 0 when it does not exist. */
const written = (path) =>
  statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const root = new URL('../../package.json', import.meta.url);
const { workspaces } = JSON.parse(readFileSync(root, 'utf8'));
const compiled = Math.max(...workspaces.map((room) => written(`../../${room}/dist/.tsbuildinfo`)));

/** The packed program: it does the same and starts in a quarter of the time. */
function packed() {
  const built = ['../dist-program', '../../web/dist-server'];
  useCompiled(...built.map((path) => fileURLToPath(new URL(path, import.meta.url))));
  return createRequire(import.meta.url)('../dist-program/main.js');
}

// While somebody works on a room, the pack may be older than the compiled files; then those run.
const program =
  written('../dist-program/main.js') > compiled ? packed() : await import('../dist/main.js');
await program.ended;
