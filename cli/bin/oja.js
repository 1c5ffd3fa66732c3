#!/usr/bin/env node
import { readFileSync, statSync } from 'node:fs';

/** Modification time in ms of a file, by its path relative to this one; 0 when it does not exist. */
const written = (path) =>
  statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const root = new URL('../../package.json', import.meta.url);
const { workspaces } = JSON.parse(readFileSync(root, 'utf8'));
const compiled = Math.max(...workspaces.map((room) => written(`../../${room}/dist/.tsbuildinfo`)));

// The packed program does the same and starts in half the time. While somebody works on a room, the pack may
// be older than the compiled files; then those run.
await import(
  written('../dist-program/main.js') > compiled ? '../dist-program/main.js' : '../dist/main.js'
);
