#!/usr/bin/env node
import { readFileSync, statSync } from 'node:fs';

/** When a file beside this one was written, in ms; 0 where it is not there. */
const written = (path) =>
  statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const root = new URL('../../package.json', import.meta.url);
const { workspaces } = JSON.parse(readFileSync(root, 'utf8'));
const compiled = Math.max(...workspaces.map((room) => written(`../../${room}/dist/.tsbuildinfo`)));

// The packed program is the same and starts in half the time; while a room is worked on, it may lag behind.
await import(
  written('../dist-program/main.js') > compiled ? '../dist-program/main.js' : '../dist/main.js'
);
