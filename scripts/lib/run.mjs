import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

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

/** The npm that is installed with Node on Windows. Its name there is a batch file, which Node starts only through a shell. */
const besideNode = () => join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');

/** Runs npm by the path that npm passed to us, else the one of this Node. Resolves like `run`. */
export function npm(args, options) {
  const passed = process.env.npm_execpath;
  if (passed?.endsWith('.js')) return run(process.execPath, [passed, ...args], options);
  return process.platform === 'win32'
    ? run(process.execPath, [besideNode(), ...args], options)
    : run('npm', args, options);
}
