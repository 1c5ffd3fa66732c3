import { spawn } from 'node:child_process';

/**
 * Runs a program and resolves to whether it exited with 0. Its output is printed as it comes with
 * `loud`, else only when the program fails.
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

/** Runs npm by the path that npm passed to us, else by its name, which differs on Windows. Resolves like `run`. */
export function npm(args, options) {
  const path = process.env.npm_execpath;
  return path?.endsWith('.js')
    ? run(process.execPath, [path, ...args], options)
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}
