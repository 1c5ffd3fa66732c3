import type { Owner } from '@oja/contracts';
import { type Edge, openEdge } from '../support/edge.js';
import { freePort, type Running, runOja } from '../support/market.js';

/** The services of one build, each in a process of its own. */
export interface Crew {
  /** An origin that only these services answer; the public one is shared by all crews. */
  readonly origin: string;
  /**
   * Runs a CLI command of their build.
   * @throws Error when it fails
   */
  oja(...args: readonly string[]): Promise<void>;
  /** Removes them from the edge and stops them as a deploy does: running requests are answered first. */
  retire(): Promise<void>;
}

/** One market over one folder, whose services can be of several builds, in turn or side by side. */
export interface Deployment {
  /** The public origin, which reaches all running crews in turn. */
  readonly origin: string;
  /** The environment of every process. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the services of a build (default: this one); resolves once they are open. */
  open(build?: string): Promise<Crew>;
  /** Starts the services of a build and kills each as soon as it is open. */
  openAndKill(build?: string): Promise<void>;
  /** Every line that a service has logged as an error so far. */
  errors(): readonly string[];
  close(): Promise<void>;
}

const SERVING = ['command-service', 'query-service'] as const satisfies readonly Owner[];
const SERVICES = ['projector', ...SERVING] as const;
type Ports = Record<Owner, number[]>;

/** @param engines environment variables of servers to use in place of files in the folder */
export async function openDeployment(
  dataDir: string,
  engines: Readonly<Record<string, string>>,
): Promise<Deployment> {
  const edgePort = await freePort();
  const origin = `http://localhost:${edgePort}`;
  const env = {
    ...engines,
    DATA_DIR: dataDir,
    PUBLIC_URL: origin,
    OJA_DEMO: '1',
    PAYOUTS: 'off',
  };
  const serving: Ports = { 'command-service': [], 'query-service': [] };
  const edge = await openEdge(edgePort, serving);
  const edges: Edge[] = [edge];
  const services = new Set<Running>();
  const logs: (readonly string[])[] = [];

  async function start(build: string | undefined) {
    const ports: Ports = { 'command-service': [], 'query-service': [] };
    const crew = await Promise.all(
      SERVICES.map(async (service) => {
        const port = await freePort();
        const running = runOja(['start', service], { ...env, PORT: `${port}` }, build);
        services.add(running);
        logs.push(running.lines);
        await running.line(/"msg":"open"/);
        if (service !== 'projector') ports[service].push(port);
        return running;
      }),
    );
    return { ports, crew };
  }

  return {
    origin,
    env,
    async open(build) {
      const { ports, crew } = await start(build);
      const ownPort = await freePort();
      const own = await openEdge(ownPort, ports);
      edges.push(own);
      for (const service of SERVING) serving[service].push(...ports[service]);
      return {
        origin: `http://localhost:${ownPort}`,
        async oja(...args) {
          const command = runOja(args, env, build);
          if ((await command.exited) !== 0)
            throw new Error(`oja ${args.join(' ')} failed:\n${command.lines.join('\n')}`);
        },
        async retire() {
          for (const service of SERVING)
            serving[service] = serving[service].filter((port) => !ports[service].includes(port));
          for (const running of crew) {
            await running.stop();
            services.delete(running);
          }
        },
      };
    },
    async openAndKill(build) {
      const { crew } = await start(build);
      for (const running of crew) {
        await running.kill();
        services.delete(running);
      }
    },
    errors: () => logs.flat().filter((line) => /"level":"(error|fatal)"/.test(line)),
    async close() {
      for (const each of edges) await each.close();
      for (const running of services) await running.stop();
    },
  };
}
