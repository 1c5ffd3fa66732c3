import { spawn } from 'node:child_process';

/**
 * Runs a program to its end. Quiet unless it fails: then all it said is printed.
 * `loud` lets it speak as it goes. Answers whether it exited 0.
 */
export function run(command, args, { loud = false, env = {}, cwd } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: loud ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const said = [];
    child.stdout?.on('data', (chunk) => said.push(chunk));
    child.stderr?.on('data', (chunk) => said.push(chunk));
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on('close', (code) => {
      if (code !== 0 && !loud) process.stderr.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });
}

/** npm by the path npm itself gave us, else by name; the same on Windows. */
export function npm(args, options) {
  const path = process.env.npm_execpath;
  return path?.endsWith('.js')
    ? run(process.execPath, [path, ...args], options)
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}
